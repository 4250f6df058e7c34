/// Suggestions as people edit them: one on each line, with details in brackets at the end: `Stretch (2 min, evening)`.
extension SuggestedTasks {
    package init(lines text: String) throws(Fault) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLarge }
        var list: [SuggestedTask] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .enumerated()
        {
            let clean = CleanName.cleaned(String(line))
            guard !clean.isEmpty else { continue }
            list.append(try SuggestedTask(line: clean).checked(index + 1))
        }
        try self.init(list)
    }

    package var lines: String { list.map(\.line).joined(separator: "\n") }
}

extension SuggestedTask {
    /// Brackets with other text belong to the title.
    fileprivate init(line: String) {
        guard line.hasSuffix(")"), let open = line.lastIndex(of: "(") else {
            self.init(title: line)
            return
        }
        var minutes: Int?
        var when: Set<PartOfDay> = []
        for word in line[line.index(after: open)...].dropLast().split(separator: ",") {
            let word = word.filter { !$0.isWhitespace }.lowercased()
            if let part = PartOfDay(rawValue: word) {
                when.insert(part)
            } else if word.hasSuffix("min"), let number = Int(word.dropLast(3)), minutes == nil {
                minutes = number
            } else {
                self.init(title: line)
                return
            }
        }
        let title = line[..<open].trimmingSuffix { $0.isWhitespace }
        self.init(title: String(title), minutes: minutes, when: when)
    }

    fileprivate var line: String {
        let notes =
            (minutes.map { ["\($0) min"] } ?? [])
            + PartOfDay.allCases.filter(when.contains).map(\.rawValue)
        return notes.isEmpty ? title : "\(title) (\(notes.joined(separator: ", ")))"
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, predicate(last) { rest.removeLast() }
        return rest
    }
}
