/// A value that documents keep as its text.
package protocol TextCodable: Codable, LosslessStringConvertible {
    /// What its text looks like, in a sentence.
    static var form: String { get }
}

extension TextCodable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: Self.form)
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
