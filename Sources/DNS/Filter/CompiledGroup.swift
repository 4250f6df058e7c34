import NIOCore

/// The rules of all groups. An object: a struct would make each answer count the references of a whole `Filter`.
final class CompiledRules: Sendable {
    let table: NameTable
    let groups: [CompiledGroup]

    init(table: NameTable, groups: [CompiledGroup]) {
        self.table = table
        self.groups = groups
    }
}

/// A group's rules in the form the hot path reads: no strings, no enums with payloads.
final class CompiledGroup: Sendable {
    /// The later, the stricter.
    enum Kind: UInt8 { case forwardUncapped, forward, relay, block, null, nameError }

    /// One rule; `set` is −1 when every name matches.
    struct Step {
        let set: Int32
        let inside: Bool
        let kind: Kind
        /// Index in `texts`, −1 without text.
        let text: Int32
    }

    let steps: [Step]
    /// Texts for Extended DNS Errors, in UTF-8.
    let texts: [[UInt8]]
    let ttlCeiling: UInt32
    let answersEnd: NIODeadline?
    /// −1: none.
    let shieldless: Int32

    init(_ group: Filter.Group, sets: Int) {
        var texts: [[UInt8]] = []
        func index(_ text: String) -> Int32 {
            let bytes = [UInt8](text.utf8)
            if bytes.isEmpty { return -1 }
            if let known = texts.firstIndex(of: bytes) { return Int32(known) }
            texts.append(bytes)
            return Int32(texts.count - 1)
        }
        steps = group.rules.map { rule in
            precondition(rule.set.map { $0 >= 0 && $0 < sets } ?? true, "a rule's set exists")
            let (kind, text): (Kind, Int32) =
                switch rule.action {
                case .forward: (.forward, -1)
                case .forwardUncapped: (.forwardUncapped, -1)
                case .relay: (.relay, -1)
                case .block(let text): (.block, index(text))
                case .null(let text): (.null, index(text))
                case .nameError: (.nameError, -1)
                }
            return Step(set: rule.set.map { Int32($0) } ?? -1, inside: rule.inside, kind: kind, text: text)
        }
        self.texts = texts
        ttlCeiling = max(1, group.ttlCeiling)
        answersEnd = group.answersEnd
        precondition(group.shieldless.map { $0 >= 0 && $0 < sets } ?? true, "a group's set exists")
        shieldless = group.shieldless.map { Int32($0) } ?? -1
    }

    /// The first rule that matches; nil if none does.
    func decide(_ match: NameTable.Match, in table: NameTable) -> Step? {
        for step in steps {
            if step.set < 0 || table.contains(match, set: Int(step.set)) == step.inside { return step }
        }
        return nil
    }
}
