import Policy

/// A page with a form in it filled anew, and reasons beside its fields.
package struct FilledForm {
    package private(set) var page: [UInt8]
    private var edits: [(range: Range<Int>, text: [UInt8])] = []

    /// - Parameters:
    ///   - values: what the fields with each name get. Names that are missing stay as they are.
    ///   - reasons: by the name of the field, each below it.
    package init(
        _ page: [UInt8], _ form: PageForm, values: [String: [String]], reasons: [String: String]
    ) {
        self.page = page
        for (name, values) in values { fill(form.fields.filter { $0.name == name }, values) }
        var isFirst = true
        var folds: Set<Int> = []
        for field in form.fields where reasons[field.name] != nil && field.isChosen(values[field.name]) {
            mark(field, isFirst: isFirst)
            for fold in field.folds where !fold.has("open") { folds.insert(fold.range.upperBound - 1) }
            isFirst = false
        }
        for fold in folds { insert(" open", at: fold) }
        for (name, reason) in reasons {
            guard let last = form.fields.last(where: { $0.name == name }) else { continue }
            let place = last.reasonAt ?? last.tag.range.upperBound
            insert(#"<p class="error" role="alert">"#, at: place, HTMLText.escaped(reason), "</p>")
        }
        for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            self.page.replaceSubrange(edit.range, with: edit.text)
        }
    }

    /// The fields of one name. A text field beside boxes of the same name adds one more value to them.
    private mutating func fill(_ fields: [PageForm.Field], _ values: [String]) {
        let boxes = Set(fields.filter { $0.kind == .box }.map(\.value))
        let typed = values.last { !boxes.contains($0) } ?? ""
        for field in fields {
            switch field.kind {
            case .hidden: break
            case .text: set("value", typed, field.tag)
            case .time:
                set("value", typed, field.tag)
                // A browser would empty a time field with `25:61`; a text field keeps the input.
                if TimeOfDay(typed) == nil { set("type", "text", field.tag) }
            case .area: edits.append((field.content, HTMLText.escaped(typed)))
            case .box, .radio: turn("checked", values.contains(field.value), field.tag)
            case .option: turn("selected", values.contains(field.value), field.tag)
            }
        }
    }

    private mutating func mark(_ field: PageForm.Field, isFirst: Bool) {
        let tag = field.list ?? field.tag
        insert(#" aria-invalid="true""# + (isFirst ? " autofocus" : ""), at: tag.range.upperBound - 1)
    }

    private mutating func set(_ name: String, _ value: String, _ tag: HTMLTag) {
        let text = " \(name)=\"".utf8 + HTMLText.escaped(value) + "\"".utf8
        let end = tag.range.upperBound - 1
        edits.append((tag.attribute(name)?.range ?? end..<end, Array(text)))
    }

    private mutating func turn(_ name: String, _ isOn: Bool, _ tag: HTMLTag) {
        if let attribute = tag.attribute(name) {
            if !isOn { edits.append((attribute.range, [])) }
        } else if isOn {
            insert(" \(name)", at: tag.range.upperBound - 1)
        }
    }

    private mutating func insert(_ opening: String, at index: Int, _ text: [UInt8] = [], _ end: String = "") {
        edits.append((index..<index, Array(opening.utf8) + text + Array(end.utf8)))
    }
}

extension PageForm.Field {
    /// Of the buttons and options of one name, the one that is chosen; every other field is.
    fileprivate func isChosen(_ values: [String]?) -> Bool {
        switch kind {
        case .radio: values?.contains(value) ?? isOn
        case .option: values?.contains(value) ?? isOn
        default: true
        }
    }
}
