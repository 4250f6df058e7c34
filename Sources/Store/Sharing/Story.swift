import Foundation
import Policy

/// What happened with a change: lines of the log, sessions that ended, focus sessions that finished.
struct Story: Codable {
    var entries: [LogEntry] = []
    var past: [PastSession] = []
    var focus: [Finished] = []

    struct Finished: Codable, Hashable {
        var person: PersonID
        var session: FocusSession
    }

    var isEmpty: Bool { entries.isEmpty && past.isEmpty && focus.isEmpty }

    init(of household: Household = Household.new(timeZone: "UTC"), _ held: Held = Held()) {
        entries = held.entries
        past = held.past
        focus = household.people.flatMap { person in
            person.focus.finished.map { Finished(person: person.id, session: $0) }
        }
    }

    /// Leaves out what a newer build wrote and this build cannot read.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        entries = try container.decode([IfKnown<LogEntry>].self, forKey: .entries).compactMap(\.value)
        past = try container.decode([IfKnown<PastSession>].self, forKey: .past).compactMap(\.value)
        focus = try container.decode([IfKnown<Finished>].self, forKey: .focus).compactMap(\.value)
    }

    init(json: String) throws { self = try JSONDecoder.ofDocuments.decode(Story.self, from: Data(json.utf8)) }

    var json: String {
        get throws { String(decoding: try JSONEncoder.ofDocuments.encode(self), as: UTF8.self) }
    }

    mutating func add(_ other: Story) {
        entries += other.entries
        past += other.past
        focus += other.focus
    }
}

private struct IfKnown<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
