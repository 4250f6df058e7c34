import Mustache

/// A value for templates, by the names of its properties.
///
/// The library would inspect every property of a value for each name in a template. Here each value is inspected once,
/// which makes long lists several times faster.
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

    /// What a template gets for a value: text, numbers and types that the library knows stay as they are; an optional
    /// becomes its content or nothing; everything else becomes its names.
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
