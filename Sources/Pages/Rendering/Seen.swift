/// What a template sees of a value. Places in memory are those of the page that is being rendered, which outlives them.
enum Seen {
    case nothing
    case flag(Bool)
    case number(Int)
    case text(String)
    /// A value with properties.
    case properties(Shape, UnsafeRawPointer)
    /// Texts that are found by their names.
    case texts((String) -> String?)
    /// Calls its argument for each element.
    case list((_ body: (Seen) throws -> Void) throws -> Void)

    /// What a name stands for in this value; nil if it has no such name. A property without a value is `.nothing`.
    func named(_ name: Symbol) -> Seen? {
        switch self {
        case .properties(let shape, let place): shape.property(name, at: place)
        case .texts(let find): find(name.text).map(Seen.text)
        default: nil
        }
    }

    var isNothing: Bool { if case .nothing = self { true } else { false } }
}

/// Texts that a template finds by name, such as `{{errors.start}}`.
protocol NamedTexts {
    func text(named name: String) -> String?
}

extension Dictionary: NamedTexts where Key == String, Value == String {
    func text(named name: String) -> String? { self[name] }
}
