import Foundation

// What a limit is about and its name in a document: the seeds' monitors bear them.

extension LimitTarget: Codable {
    private enum CodingKeys: String, CodingKey { case kind, target }

    /// Nil for a kind that is none.
    package init?(kind: String, id: String) {
        switch kind {
        case "app": self = .app(id)
        case "category": self = .category(id)
        default: return nil
        }
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let known = LimitTarget(
            kind: try values.decode(String.self, forKey: .kind),
            id: try values.decode(String.self, forKey: .target))
        guard let known else {
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: values, debugDescription: "A limit is for an app or a category.")
        }
        self = known
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(kind, forKey: .kind)
        try values.encode(id, forKey: .target)
    }
}

extension UsageLimit: Codable {
    private enum CodingKeys: String, CodingKey { case id, minutes, minutesByDay, weeklyMinutes, leavesOut }

    /// `monitor_UUID` for an app, `monitor_cat_UUID` for a category.
    private var monitor: String {
        switch target {
        case .app: "monitor_" + id.uuidString
        case .category: "monitor_cat_" + id.uuidString
        }
    }

    /// Its target stands beside the rest.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let name = try values.decode(String.self, forKey: .id)
        self.init(
            id: UUID(uuidString: String(name.suffix(36))) ?? UUID(),
            target: try LimitTarget(from: decoder), minutes: try values.decode(Int.self, forKey: .minutes),
            minutesByDay: try values.decode([Weekday: Int].self, forKey: .minutesByDay),
            weeklyMinutes: try values.decodeIfPresent(Int.self, forKey: .weeklyMinutes),
            leavesOut: try values.decodeIfPresent(Set<String>.self, forKey: .leavesOut) ?? [])
        guard monitor == name, isPossible else {
            throw DecodingError.dataCorruptedError(
                forKey: .id, in: values, debugDescription: "No limit can be so.")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        try target.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(monitor, forKey: .id)
        try values.encode(minutes, forKey: .minutes)
        try values.encode(minutesByDay, forKey: .minutesByDay)
        try values.encodeIfPresent(weeklyMinutes, forKey: .weeklyMinutes)
        if !leavesOut.isEmpty { try values.encode(leavesOut, forKey: .leavesOut) }
    }
}
