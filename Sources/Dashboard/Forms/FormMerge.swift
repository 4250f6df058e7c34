import Pages
import Policy

/// Merges a form that was sent with what was stored since its page was drawn: a three-way merge of each member.
///
/// A member is a field, a tick of a box, or the fields of one `data-member`. What its sender left as it was shown takes
/// what the form shows now. What only its sender changed stays as sent. What both changed is a conflict, unless both
/// want the same. A form of a program shows nothing, and is not merged.
struct FormMerge {
    /// What the form says now, with `shown` as of now.
    private(set) var fields: FormFields
    /// By field name: why its sender has to decide.
    private(set) var conflicts: [String: String] = [:]
    /// What the fields of the form get where its sender has to decide.
    private(set) var values: [String: [String]] = [:]

    private typealias Values = [String: [String]]
    private let form: PageForm
    private let (mine, was, now): (Values, Values, Values)
    /// Changed fields that the page does not show.
    private var gone: Set<String> = []
    /// The values of all boxes of a name, ticked or not.
    private let boxes: [String: Set<String>]

    /// - Parameters:
    ///   - shown: what the form showed its sender.
    ///   - form: the form as its page shows it now.
    init(_ sent: FormFields, shown: ShownFields, form: PageForm) {
        self.form = form
        fields = sent
        (mine, was, now) = (Self.values(sent.pairs), Self.values(shown.pairs), Self.values(form.shown))
        boxes = Dictionary(grouping: form.fields.filter { $0.kind == .box }, by: \.name)
            .mapValues { Set($0.map(\.value)) }
        merge()
        var base = boxes.reduce(into: now) { base, boxes in
            // A box that the page does not show now is as it was.
            base[boxes.key, default: []] += (was[boxes.key] ?? []).filter { !boxes.value.contains($0) }
        }
        for name in gone { base[name] = was[name] }
        fields = FormFields(pairs: merged(sent.pairs, ShownFields(page: shown.page, pairs: Self.pairs(base))))
    }

    private mutating func merge() {
        let members = Dictionary(grouping: form.fields.filter { $0.kind != .hidden }, by: \.name)
        let names = Set(was.keys).union(members.keys)
        for (group, names) in Dictionary(grouping: names, by: { members[$0]?.first?.group ?? "" }) {
            guard group.isEmpty else {
                mergeWhole(names)
                continue
            }
            for name in names { if members[name] == nil { leave(name) } else { merge(name) } }
        }
    }

    /// The page does not show the field any more, or a script had opened its part of the page. What its sender changed
    /// there is not lost without a word.
    private mutating func leave(_ name: String) {
        func written(_ values: Values) -> Set<String> { Set(values[name] ?? []).subtracting([""]) }
        let isSame = written(mine) == written(was)
        values[name] = isSame ? [] : mine[name] ?? []
        if !isSame { gone.insert(name) }
    }

    private mutating func merge(_ name: String) {
        if let boxes = boxes[name] {
            values[name] = ticks(name, boxes)
            return
        }
        switch (mine[name]?.first, was[name]?.first, now[name]?.first) {
        case (nil, nil, let theirs?): values[name] = [theirs]
        case (nil, _, _): break
        // Nothing was changed here.
        case (let mine?, let was?, let theirs) where Self.isSame(mine, was):
            values[name] = theirs.map { [$0] } ?? []
        case (let mine?, let was, let theirs?) where theirs != was ?? "" && !Self.isSame(mine, theirs):
            values[name] = [mine]
            conflicts[name] = reason([name], mine: [mine], theirs: [theirs])
        case (let mine?, _, _): values[name] = [mine]
        }
    }

    /// Ticks merge one by one, so no two contradict each other.
    private func ticks(_ name: String, _ boxes: Set<String>) -> [String] {
        let (mine, was, theirs) = (mine[name] ?? [], Set(was[name] ?? []), now[name] ?? [])
        let kept = mine.filter { !was.contains($0) || theirs.contains($0) || !boxes.contains($0) }
        return kept + theirs.filter { !was.contains($0) && !kept.contains($0) }
    }

    /// Fields that mean something only together.
    private mutating func mergeWhole(_ names: [String]) {
        func all(_ values: Values) -> [String] {
            names.sorted().flatMap { [$0] + (values[$0] ?? []).sorted() }
        }
        let (mine, was, theirs) = (all(mine), all(was), all(now))
        let source = mine == was ? now : self.mine
        for name in names { values[name] = source[name] ?? [] }
        guard mine != was, theirs != was, mine != theirs,
            let last = form.fields.last(where: { names.contains($0.name) })
        else { return }
        func shown(_ values: Values) -> [String] {
            var seen: Set<String> = []
            return form.fields.map(\.name).filter { names.contains($0) && seen.insert($0).inserted }
                .flatMap { values[$0] ?? [] }
        }
        conflicts[last.name] = reason(names, mine: shown(self.mine), theirs: shown(now))
    }

    private func reason(_ names: [String], mine: [String], theirs: [String]) -> String {
        func words(_ values: [String]) -> String? {
            let words = values.map { value in
                let field = form.fields.first {
                    names.contains($0.name) && $0.value == value && !$0.label.isEmpty
                }
                return field?.label ?? TimeOfDay(value)?.text(in: ClockFace.style) ?? value
            }.filter { !$0.isEmpty }
            return words.isEmpty ? nil : "“\(words.joined(separator: ", "))”"
        }
        let change =
            words(theirs).map { "Meanwhile this was changed to \($0)." } ?? "Meanwhile this was emptied."
        return "\(change) Yours is \(words(mine) ?? "empty"). Save again to use yours, or change it."
    }

    /// The sent fields in their order, each with its merged values; then what came to the form since.
    private func merged(
        _ sent: [(name: String, value: String)], _ shown: ShownFields
    ) -> [(name: String, value: String)] {
        var done: Set<String> = []
        let kept = sent.flatMap { name, value -> [(name: String, value: String)] in
            if name == ShownFields.field { return [(name, shown.text)] }
            guard let values = values[name] else { return [(name, value)] }
            return done.insert(name).inserted ? values.map { (name, $0) } : []
        }
        return kept + Self.pairs(values.filter { !done.contains($0.key) })
    }

    /// Browsers send the line ends of a text as CRLF.
    private static func isSame(_ a: String, _ b: String) -> Bool {
        a == b || a.replacing("\r\n", with: "\n") == b.replacing("\r\n", with: "\n")
    }

    private static func values(_ pairs: [(name: String, value: String)]) -> Values {
        Dictionary(grouping: pairs, by: \.name).mapValues { $0.map(\.value) }
    }

    private static func pairs(_ values: Values) -> [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.flatMap { name, values in values.map { (name, $0) } }
    }
}
