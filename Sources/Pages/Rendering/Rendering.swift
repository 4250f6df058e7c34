/// Writes one document: a program, the values that it is about, and the bytes so far.
struct Rendering {
    private(set) var output: [UInt8] = []
    /// The page, then what the sections around are about, the innermost last.
    private var values: [Seen]
    private let site: Seen
    /// The program of a template that a value names.
    private let included: (String) throws -> Program

    private static let siteName = Symbol("site")

    init(page: Seen, site: Seen, included: @escaping (String) throws -> Program) {
        values = [page]
        self.site = site
        self.included = included
        output.reserveCapacity(1 << 16)
    }

    mutating func run(_ program: Program) throws { try run(program, program.steps.indices) }

    private mutating func run(_ program: Program, _ steps: Range<Int>) throws {
        var index = steps.lowerBound
        while index < steps.upperBound {
            switch program.steps[index] {
            case .text(let range): output.append(contentsOf: program.bytes[range])
            case .value(let path, let isMarkup): write(value(path, program), isMarkup: isMarkup)
            case .section(let path, let end):
                try section(value(path, program), program, index + 1..<end)
                index = end - 1
            case .inverted(let path, let end):
                if try isAbsent(value(path, program)) { try run(program, index + 1..<end) }
                index = end - 1
            case .template(let path):
                if case .text(let name) = value(path, program) { try run(included(name)) }
            }
            index += 1
        }
    }

    /// A name that the innermost value does not have is looked for in those around it. A value that has the name and is
    /// empty there hides the others: a form without an error must not show the error of another form.
    private func value(_ path: Program.Path, _ program: Program) -> Seen {
        guard var name = path.names.first else { return values[values.count - 1] }
        var seen = first(program.names[name], isInnermost: path.isInnermost)
        name += 1
        while name < path.names.upperBound {
            seen = seen.named(program.names[name]) ?? .nothing
            name += 1
        }
        return seen
    }

    private func first(_ name: Symbol, isInnermost: Bool) -> Seen {
        if name.number == Self.siteName.number { return site }
        var index = values.count - 1
        while index >= 0 {
            if let seen = values[index].named(name) { return seen }
            if isInnermost { break }
            index -= 1
        }
        return .nothing
    }

    private mutating func section(_ value: Seen, _ program: Program, _ steps: Range<Int>) throws {
        switch value {
        case .nothing: return
        case .flag(let isTrue): if isTrue { try run(program, steps) }
        case .list(let each): try each { try about($0, program, steps) }
        default: try about(value, program, steps)
        }
    }

    private mutating func about(_ value: Seen, _ program: Program, _ steps: Range<Int>) throws {
        if value.isNothing { return }
        values.append(value)
        try run(program, steps)
        values.removeLast()
    }

    private func isAbsent(_ value: Seen) throws -> Bool {
        switch value {
        case .nothing: return true
        case .flag(let isTrue): return !isTrue
        case .list(let each):
            var isEmpty = true
            try each { if !$0.isNothing { isEmpty = false } }
            return isEmpty
        default: return false
        }
    }

    private mutating func write(_ value: Seen, isMarkup: Bool) {
        switch value {
        case .text(let text): HTMLText.write(text, isMarkup: isMarkup, to: &output)
        case .number(let number): output.append(contentsOf: String(number).utf8)
        case .flag(let isTrue): output.append(contentsOf: (isTrue ? "true" : "false").utf8)
        case .properties(let shape, let place):
            HTMLText.write(shape.describe(place), isMarkup: isMarkup, to: &output)
        case .nothing, .texts, .list: break
        }
    }
}
