package import Assets
import Mustache

/// The one place where HTML comes from: a page and its context go in, an escaped document comes out.
package struct PageRenderer: Sendable {
    /// The templates could not be used; with `--assets DIR` somebody may be editing them.
    package enum Failure: Error, CustomStringConvertible {
        case noTemplate(String)
        case unreadable(template: String, reason: String)

        package var description: String {
            switch self {
            case .noTemplate(let name): "There is no template \(name)."
            case .unreadable(let template, let reason): "\(template): \(reason)"
            }
        }
    }

    private let assets: AssetLibrary
    /// Parsed once; nil when templates are read from disk for every page.
    private let library: MustacheLibrary?

    package init(assets: AssetLibrary) throws {
        self.assets = assets
        library = assets.directory == nil ? try Self.parse(assets) : nil
    }

    /// The whole document.
    package func render(_ page: some Page, in context: PageContext) throws -> String {
        let library = try library ?? Self.parse(assets)
        let name = type(of: page).template
        let frame = Frame(page: page, site: Site(context, title: page.title, assets: assets))
        guard let html = library.render(frame, withTemplate: name) else { throw Failure.noTemplate(name) }
        return html
    }

    private static func parse(_ assets: AssetLibrary) throws -> MustacheLibrary {
        _ = registered
        var library = MustacheLibrary()
        for path in assets.paths(under: "Templates") where path.hasSuffix(".mustache") {
            guard let asset = assets.asset(at: path) else { continue }
            let name = String(path.dropFirst("Templates/".count).dropLast(".mustache".count))
            do {
                try library.register(pragma + trimmed(asset.text), named: name)
            } catch {
                throw Failure.unreadable(template: path, reason: String(describing: error))
            }
        }
        return library
    }

    /// Stands before every template: a partial or a parent without it falls back to the library's escaping.
    private static let pragma = "{{% CONTENT_TYPE:\(contentType)}}"
    private static let contentType = "UTF8-HTML"
    private static let registered: Void = MustacheContentTypes.register(HTMLText(), named: contentType)

    /// Without the indentation of its lines, which the library would otherwise add to each line of a partial.
    private static func trimmed(_ template: String) -> String {
        template.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
            .joined(separator: "\n")
    }
}

/// What a template sees: the page's own names first, then `site`.
private struct Frame: MustacheParent {
    let page: any Page
    let site: Site

    func child(named name: String) -> Any? {
        if name == "site" { return site }
        guard let value = Mirror(reflecting: page).children.first(where: { $0.label == name })?.value else {
            return nil
        }
        let optional = Mirror(reflecting: value)
        return optional.displayStyle == .optional ? optional.children.first?.value : value
    }
}
