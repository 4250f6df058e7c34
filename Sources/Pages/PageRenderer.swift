package import Assets
import Mustache
import Synchronization

/// The only source of HTML: takes a page and its context and returns an escaped document.
package final class PageRenderer: Sendable {
    /// The templates are unusable; with `--assets DIR` a developer may be editing them.
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
    /// Parsed for the first page, so that a start does not wait for it. Kept, unless templates are on disk.
    private let parsed = Mutex<MustacheLibrary?>(nil)

    package init(assets: AssetLibrary) { self.assets = assets }

    /// The whole document.
    package func render(_ page: some Page, in context: PageContext) throws -> String {
        let library = try library()
        let name = type(of: page).template
        let frame = Frame(page: page, site: Site(context, title: page.title, assets: assets))
        guard let html = library.render(frame, withTemplate: name) else { throw Failure.noTemplate(name) }
        return html
    }

    private func library() throws -> MustacheLibrary {
        try parsed.withLock { parsed in
            if let parsed { return parsed }
            let library = try Self.parse(assets)
            if assets.directory == nil { parsed = library }
            return library
        }
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

    /// Begins every template: a partial or parent without it would use the library's escaping.
    private static let pragma = "{{% CONTENT_TYPE:\(contentType)}}"
    private static let contentType = "UTF8-HTML"
    private static let registered: Void = MustacheContentTypes.register(HTMLText(), named: contentType)

    /// Removes the indentation of lines, which the library would otherwise add to each line of a partial.
    private static func trimmed(_ template: String) -> String {
        template.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
            .joined(separator: "\n")
    }
}

/// What a template sees: the page's own names, and `site`.
private struct Frame: MustacheParent {
    private let page: Reflected
    private let site: Reflected

    init(page: any Page, site: Site) {
        self.page = Reflected(page)
        self.site = Reflected(site)
    }

    func child(named name: String) -> Any? { name == "site" ? site : page.child(named: name) }
}
