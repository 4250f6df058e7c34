package import Foundation

extension SuggestedTasks {
    /// Reads `suggested_tasks.json`: an array of titles, or of objects with `title` and optional `minutes` and `when`
    /// (`morning`, `day`, `evening`, `night`). Skips entries without words.
    package init(json: Data) throws(Fault) {
        guard json.count <= Self.maximumBytes else { throw .tooLarge }
        let entries: [Entry]
        do { entries = try JSONDecoder().decode([Entry].self, from: json) } catch { throw .unreadable }
        var list: [SuggestedTask] = []
        for (index, entry) in entries.enumerated() {
            let title = CleanName.cleaned(entry.title)
            guard !title.isEmpty else { continue }
            list.append(
                try SuggestedTask(
                    title: title, minutes: entry.minutes, when: Set(entry.when ?? [])
                ).checked(index + 1))
        }
        try self.init(list)
    }

    /// The content of `suggested_tasks.json`.
    package var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
        do {
            return try encoder.encode(list.map(Entry.init))
        } catch {
            preconditionFailure("Strings and integers always encode: \(error)")
        }
    }

    /// An entry of the file: a title, or an object.
    private struct Entry: Codable {
        var title: String
        var minutes: Int?
        var when: [SuggestedTask.PartOfDay]?

        private enum CodingKeys: CodingKey { case title, minutes, when }

        init(_ task: SuggestedTask) {
            title = task.title
            minutes = task.minutes
            let parts = SuggestedTask.PartOfDay.allCases.filter(task.when.contains)
            when = parts.isEmpty ? nil : parts
        }

        init(from decoder: any Decoder) throws {
            if let title = try? decoder.singleValueContainer().decode(String.self) {
                self.title = title
                return
            }
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            minutes = try container.decodeIfPresent(Int.self, forKey: .minutes)
            when = try container.decodeIfPresent([SuggestedTask.PartOfDay].self, forKey: .when)
        }
    }
}

extension SuggestedTask {
    /// Throws if it is out of bounds; `number` names it in the reason.
    func checked(_ number: Int) throws(SuggestedTasks.Fault) -> SuggestedTask {
        guard !title.isEmpty else { throw .titleMissing(number) }
        guard title.count <= Self.maximumLength, title.unicodeScalars.count <= 4 * Self.maximumLength else {
            throw .titleTooLong(number)
        }
        if let minutes, !Self.minuteRange.contains(minutes) { throw .minutesOutOfRange(number) }
        return self
    }
}
