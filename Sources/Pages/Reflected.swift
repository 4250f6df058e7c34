import Mustache

/// A value as templates see it, by the names of its properties.
///
/// The library would look at every property of a value for each name that a template mentions; here they are looked
/// at once for each value, which makes long lists several times as fast.
final class Reflected: MustacheParent, MustacheCustomRenderable {
    private let value: Any
    private lazy var properties: [String: Any] = {
        var properties: [String: Any] = [:]
        for case (let name?, let value) in Mirror(reflecting: value).children {
            properties[name] = Self.seen(value)
        }
        return properties
    }()

    init(_ value: Any) { self.value = value }

    func child(named name: String) -> Any? { properties[name] }

    var renderText: String { String(describing: value) }
    var isNull: Bool { false }

    /// What a template is given for a value: text, numbers and what the library knows by itself as they are, an
    /// optional's content or nothing, and everything else by its names.
    static func seen(_ value: Any) -> Any? {
        switch value {
        case is String, is Int, is Bool: return value
        case let list as any MustacheSequence: return seen(elements: list)
        case is any MustacheParent, is any MustacheCustomRenderable: return value
        default:
            let mirror = Mirror(reflecting: value)
            guard mirror.displayStyle == .optional else { return Reflected(value) }
            return mirror.children.first.flatMap { seen($0.value) }
        }
    }

    private static func seen(elements: some Sequence) -> [Any] { elements.compactMap { seen($0) } }
}
