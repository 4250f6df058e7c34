import Mustache

/// A piece of a template, as the library's parser reads it.
///
/// The parser keeps its tree to itself, so it is read by reflection, once for each template. Every golden page fails if a
/// new version of the library has another tree.
indirect enum TemplatePart {
    case text(String)
    /// `{{name}}`; `isMarkup`: `{{{name}}}`, which is not escaped.
    case value(name: String, isMarkup: Bool)
    /// `{{#name}}`; `isInverted`: `{{^name}}`.
    case section(name: String, isInverted: Bool, parts: [TemplatePart])
    /// `{{$name}}` where it can be replaced.
    case block(name: String, parts: [TemplatePart])
    /// `{{>name}}`, or `{{<name}}` with blocks in place of its own; `isNamedByValue`: `{{>*name}}`.
    case template(name: String, isNamedByValue: Bool, blocks: [String: [TemplatePart]])

    /// What a template uses that pages do without.
    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }

    /// The parts of a template's text; throws the parser's error, or `Unknown`.
    static func parse(_ text: String) throws -> [TemplatePart] {
        try parts(of: MustacheTemplate(string: text))
    }

    private static func parts(of template: MustacheTemplate) throws -> [TemplatePart] {
        guard let tokens = Mirror(reflecting: template).descendant("tokens") else {
            throw Unknown(description: "the parser's tree has no tokens")
        }
        return try Mirror(reflecting: tokens).children.map { try TemplatePart(token: $0.value) }
    }

    private init(token: Any) throws {
        guard case (let kind?, let content)? = Mirror(reflecting: token).children.first else {
            throw Unknown(description: "unknown tag \(token)")
        }
        if kind == "text", let text = content as? String {
            self = .text(text)
            return
        }
        let fields = Mirror(reflecting: content)
        let transforms = fields.descendant("transforms") as? [String] ?? []
        guard transforms.isEmpty, let name = fields.children.first?.value as? String else {
            throw Unknown(description: "unknown tag \(token)")
        }
        func inside(_ label: String) throws -> [TemplatePart] {
            try (fields.descendant(label) as? MustacheTemplate).map(Self.parts) ?? []
        }
        switch kind {
        case "variable": self = .value(name: name, isMarkup: false)
        case "unescapedVariable": self = .value(name: name, isMarkup: true)
        case "section": self = .section(name: name, isInverted: false, parts: try inside("template"))
        case "invertedSection": self = .section(name: name, isInverted: true, parts: try inside("template"))
        case "blockExpansion": self = .block(name: name, parts: try inside("default"))
        case "partial", "dynamicNamePartial":
            let blocks = fields.descendant("inherits") as? [String: MustacheTemplate] ?? [:]
            self = .template(
                name: name, isNamedByValue: kind != "partial", blocks: try blocks.mapValues(Self.parts))
        default: throw Unknown(description: "unknown tag \(kind)")
        }
    }
}
