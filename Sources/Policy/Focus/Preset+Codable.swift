extension Preset: Codable {
    /// As its minutes.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let preset = Preset(minutes: try container.decode(Int.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A focus lasts 1 to 1440 minutes.")
        }
        self = preset
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(minutes)
    }
}
