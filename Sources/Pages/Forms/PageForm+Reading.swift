extension PageForm {
    /// The POST forms of a page.
    package static func all(in page: [UInt8]) -> [PageForm] {
        var reading = PageReading(page)
        reading.run()
        return reading.forms
    }
}

/// Walks over a page's tags.
private struct PageReading {
    let page: [UInt8]
    private(set) var forms: [PageForm] = []
    /// The form that is open, and its fields so far.
    private var form: PageForm?
    private var fields: [PageForm.Field] = []
    private var list: (tag: HTMLTag, name: String, first: Int)?
    /// Blocks that are open, and how many fields came before each.
    private var blocks: [(name: String, firstField: Int, group: String?)] = []
    private var folds: [HTMLTag] = []
    /// The label that is open: for which id, and where its words begin.
    private var label: (id: String?, start: Int)?
    private var labels: [String: String] = [:]

    private static let blockNames: Set = ["div", "p", "fieldset", "form"]
    private static let foldNames: Set = ["details", "dialog"]

    init(_ page: [UInt8]) { self.page = page }

    mutating func run() {
        var index = 0
        while let tag = HTMLTag(in: page, from: index) {
            index = tag.range.upperBound
            if tag.isClosing { close(tag) } else { open(tag, &index) }
        }
    }

    private mutating func open(_ tag: HTMLTag, _ index: inout Int) {
        if Self.foldNames.contains(tag.name) { folds.append(tag) }
        if tag.name == "form", tag.value("method", in: page) == "post" { begin(tag) }
        guard form != nil else { return }
        if Self.blockNames.contains(tag.name) {
            let group = tag.value("data-member", in: page) ?? blocks.last?.group
            blocks.append((tag.name, fields.count, group))
        }
        switch tag.name {
        case "input": input(tag)
        case "select":
            if let name = tag.value("name", in: page), !tag.has("disabled") {
                list = (tag, name, fields.count)
            }
        case "option": option(tag)
        case "textarea": index = area(tag)
        case "label": label = (tag.value("for", in: page), tag.range.upperBound)
        default: break
        }
    }

    private mutating func begin(_ tag: HTMLTag) {
        // Files are sent in another way, and nothing of them is stored as a member.
        guard !tag.has("enctype") else { return }
        let action = tag.value("action", in: page) ?? ""
        form = PageForm(
            action: String(action.prefix { $0 != "?" }), shownAt: tag.value("data-shown-at", in: page),
            isPress: tag.has("data-press"), opening: tag)
        (fields, blocks, labels) = ([], [], [:])
    }

    private mutating func close(_ tag: HTMLTag) {
        if Self.foldNames.contains(tag.name) { _ = folds.popLast() }
        guard form != nil else { return }
        switch tag.name {
        case "select": closeList()
        case "option":
            if list != nil, let last = fields.indices.last {
                fields[last].label = words(from: fields[last].content.lowerBound, to: tag)
            }
        case "label":
            if let label { labels[label.id ?? ""] = words(from: label.start, to: tag) }
            label = nil
        default: break
        }
        if Self.blockNames.contains(tag.name), let index = blocks.lastIndex(where: { $0.name == tag.name }) {
            endBlock(tag, from: blocks[index].firstField)
            blocks.removeSubrange(index...)
        }
        if tag.name == "form", var done = form {
            done.fields = fields.map(labelled)
            forms.append(done)
            form = nil
        }
    }

    private mutating func endBlock(_ tag: HTMLTag, from first: Int) {
        for index in fields.indices[first...] where fields[index].reasonAt == nil {
            let isChoice = [.box, .radio].contains(fields[index].kind)
            if isChoice, tag.name == "fieldset" {
                fields[index].reasonAt = tag.range.lowerBound
            } else if !isChoice || tag.name == "form" {
                fields[index].reasonAt = tag.range.upperBound
            }
        }
    }

    private mutating func input(_ tag: HTMLTag) {
        guard let name = tag.value("name", in: page), !tag.has("disabled"), !tag.has("form") else { return }
        let kind: PageForm.Field.Kind
        switch tag.value("type", in: page) {
        case "hidden": kind = .hidden
        case "checkbox": kind = .box
        case "radio": kind = .radio
        case "time": kind = .time
        // Neither is ever shown.
        case "password", "file": return
        default: kind = .text
        }
        let isChoice = kind == .box || kind == .radio
        add(
            name, kind, tag.value("value", in: page) ?? (isChoice ? "on" : ""),
            isOn: !isChoice || tag.has("checked"), tag)
    }

    private mutating func option(_ tag: HTMLTag) {
        guard let list else { return }
        add(
            list.name, .option, tag.value("value", in: page) ?? "", isOn: tag.has("selected"), tag,
            of: list.tag)
    }

    /// Without a selected option, a browser shows the first one.
    private mutating func closeList() {
        if let first = list?.first, first < fields.count, !fields[first...].contains(where: \.isOn) {
            fields[first].isOn = true
        }
        list = nil
    }

    /// Returns the index after the field: what is in it is text.
    private mutating func area(_ tag: HTMLTag) -> Int {
        var index = tag.range.upperBound
        while let next = HTMLTag(in: page, from: index) {
            index = next.range.upperBound
            guard next.isClosing, next.name == "textarea" else { continue }
            if let name = tag.value("name", in: page) {
                let content = tag.range.upperBound..<next.range.lowerBound
                add(name, .area, HTMLText.read(page[content]), tag, content: content)
            }
            break
        }
        return index
    }

    private mutating func add(
        _ name: String, _ kind: PageForm.Field.Kind, _ value: String, isOn: Bool = true, _ tag: HTMLTag,
        of list: HTMLTag? = nil, content: Range<Int>? = nil
    ) {
        let end = tag.range.upperBound
        fields.append(
            PageForm.Field(
                name: name, kind: kind, value: value, isOn: isOn, group: blocks.last?.group, tag: tag,
                content: content ?? end..<end, list: list, folds: folds))
    }

    private func words(from start: Int, to tag: HTMLTag) -> String {
        let markup = String(decoding: page[start..<tag.range.lowerBound], as: UTF8.self)
        return HTMLText.read(Array(markup.replacing(/<[^>]*>/, with: "").utf8)[...])
    }

    private func labelled(_ field: PageForm.Field) -> PageForm.Field {
        guard [.box, .radio].contains(field.kind), let id = field.tag.value("id", in: page) else {
            return field
        }
        var field = field
        field.label = labels[id] ?? ""
        return field
    }
}
