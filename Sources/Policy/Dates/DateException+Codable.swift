import Foundation

// The JSON of documents and of the API: `{"id","first","last","instead"}`, with `weekday`, or with `start` and `end`.

extension DateException: Codable {
    private enum CodingKeys: String, CodingKey { case id, first, last, instead, weekday, start, end }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let word = try values.decode(String.self, forKey: .instead)
        let instead: Instead? =
            switch word {
            case "weekday": .weekday(try values.decode(Weekday.self, forKey: .weekday))
            case "times":
                .times(
                    start: try values.decode(TimeOfDay.self, forKey: .start),
                    end: try values.decode(TimeOfDay.self, forKey: .end))
            case "nothing": .nothing
            default: nil
            }
        self.init(
            id: try values.decode(UUID.self, forKey: .id),
            first: try values.decode(CivilDate.self, forKey: .first),
            last: try values.decode(CivilDate.self, forKey: .last), instead: instead ?? .nothing)
        guard instead != nil, (try? check()) != nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .instead, in: values, debugDescription: "No exception can be so.")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(first, forKey: .first)
        try values.encode(last, forKey: .last)
        try values.encode(instead.word, forKey: .instead)
        switch instead {
        case .weekday(let day): try values.encode(day, forKey: .weekday)
        case .times(let start, let end):
            try values.encode(start, forKey: .start)
            try values.encode(end, forKey: .end)
        case .nothing: break
        }
    }
}

extension DateException.Instead {
    /// `weekday`, `times` or `nothing`, as programs and forms read it.
    package var word: String {
        switch self {
        case .weekday: "weekday"
        case .times: "times"
        case .nothing: "nothing"
        }
    }
}
