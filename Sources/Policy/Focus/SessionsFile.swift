package import Foundation

/// `sessions.json`: an array of sessions with five keys each, `start` in ISO 8601.
package enum SessionsFile {
    /// How many entries are read from a file.
    package static let maximum = 100_000
    private static let maximumLabel = 16

    package static func data(_ sessions: [FocusSession]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(sessions.map(Entry.init))
    }

    /// The same list as a part of a larger document.
    package static func list(_ sessions: [FocusSession]) -> some Encodable { sessions.map(Entry.init) }

    /// Reads an imported file completely, or throws. The store sorts out sessions that it has already.
    package static func sessions(_ data: Data) throws(Refusal) -> [FocusSession] {
        guard let entries = try? JSONDecoder().decode([Entry].self, from: data),
            entries.count <= maximum
        else { throw .sessionsUnreadable }
        return entries.map(\.session)
    }

    private struct Entry: Codable {
        var id: UUID
        var start: Instant
        var durationSeconds: Int
        var presetLabel: String?
        var completed: Bool

        init(_ session: FocusSession) {
            id = session.id
            start = Instant(date: session.start)
            durationSeconds = session.durationSeconds
            presetLabel = session.presetLabel
            completed = session.completed
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decode(UUID.self, forKey: .id)
            start = try values.decode(Instant.self, forKey: .start)
            durationSeconds = try values.decode(Int.self, forKey: .durationSeconds)
            guard (0...FocusTimer.totals.upperBound).contains(durationSeconds) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .durationSeconds, in: values, debugDescription: "A session is a day at most.")
            }
            presetLabel = try values.decodeIfPresent(String.self, forKey: .presetLabel).map {
                String(CleanName.cleaned($0).unicodeScalars.prefix(SessionsFile.maximumLabel))
            }
            completed = try values.decode(Bool.self, forKey: .completed)
        }

        /// The file has no end: it is computed as if there was no pause.
        var session: FocusSession {
            FocusSession(
                id: id, start: start.date, end: start.date.addingTimeInterval(TimeInterval(durationSeconds)),
                durationSeconds: durationSeconds, presetLabel: presetLabel, completed: completed)
        }
    }

    /// Written as ISO 8601 in UTC. Also read with fractions and offsets, and as a number: seconds since 2001, which the
    /// app's encoder wrote against its own description.
    private struct Instant: Codable {
        var date: Date

        init(date: Date) { self.date = date }

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            let read: Date? =
                if let seconds = try? value.decode(Double.self) {
                    Date(timeIntervalSinceReferenceDate: seconds)
                } else {
                    Self.read(try value.decode(String.self))
                }
            // Years 1970 to 2200: others mean another unit or another file.
            guard let read, (0...7_258_118_400).contains(read.timeIntervalSince1970) else {
                throw DecodingError.dataCorruptedError(
                    in: value, debugDescription: "An instant is ISO 8601.")
            }
            date = read.wholeSecond
        }

        private static func read(_ text: String) -> Date? {
            (try? Date(text, strategy: .iso8601))
                ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
        }

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            try value.encode(date.formatted(.iso8601))
        }
    }
}
