/// A page's template with everything that it includes, as one list of steps.
struct Program: Sendable {
    /// A value that a template names: `.`, `name`, `name.inner` or `.name`.
    struct Path: Sendable {
        /// In `Program.names`; empty for `.`.
        let names: Range<Int>
        /// Whether only the innermost value is asked, not those around it.
        let isInnermost: Bool
    }

    enum Step: Sendable {
        /// A range of `Program.bytes`.
        case text(Range<Int>)
        case value(Path, isMarkup: Bool)
        /// The steps from the next one to before `end` are the section's.
        case section(Path, end: Int)
        case inverted(Path, end: Int)
        /// The template that the value names.
        case template(Path)
    }

    private(set) var steps: [Step] = []
    private(set) var bytes: [UInt8] = []
    private(set) var names: [Symbol] = []
    /// Whether the next text continues the last step.
    private var isInText = false

    /// Templates include each other no deeper than this.
    private static let deepest = 40

    /// - Parameter parts: a template's parts, by its name.
    init(_ name: String, parts: (String) throws -> [TemplatePart]) throws {
        try add(parts(name), blocks: [:], depth: 0, of: parts)
    }

    /// - Parameter blocks: the parts that replace blocks, by the templates around.
    private mutating func add(
        _ parts: [TemplatePart], blocks: [String: [TemplatePart]], depth: Int,
        of template: (String) throws -> [TemplatePart]
    ) throws {
        guard depth < Self.deepest else {
            throw TemplatePart.Unknown(description: "templates include each other")
        }
        for part in parts {
            switch part {
            case .text(let text): add(text)
            case .value(let name, let isMarkup): add(.value(path(name), isMarkup: isMarkup))
            case .section(let name, let isInverted, let parts):
                let path = path(name)
                let start = steps.count
                add(.section(path, end: 0))
                try add(parts, blocks: blocks, depth: depth + 1, of: template)
                let end = steps.count
                steps[start] = isInverted ? .inverted(path, end: end) : .section(path, end: end)
                isInText = false
            case .block(let name, let parts):
                try add(blocks[name] ?? parts, blocks: blocks, depth: depth + 1, of: template)
            case .template(let name, isNamedByValue: true, _): add(.template(path(name)))
            case .template(let name, isNamedByValue: false, let inner):
                let blocks = blocks.merging(inner) { outer, _ in outer }
                try add(template(name), blocks: blocks, depth: depth + 1, of: template)
            }
        }
    }

    private mutating func add(_ step: Step) {
        steps.append(step)
        isInText = false
    }

    private mutating func add(_ text: String) {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        if isInText, case .text(let range)? = steps.last {
            steps[steps.count - 1] = .text(range.lowerBound..<bytes.count)
        } else {
            steps.append(.text(start..<bytes.count))
            isInText = true
        }
    }

    private mutating func path(_ text: String) -> Path {
        let start = names.count
        names += text.split(separator: ".").map { Symbol(String($0)) }
        return Path(names: start..<names.count, isInnermost: text.hasPrefix("."))
    }
}
