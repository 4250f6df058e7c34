package import Assets
import Synchronization

/// The only source of HTML: takes a page and its context and returns an escaped document.
///
/// The library parses the templates. The rendering is ours, for its speed (Docs/decisions/own-code-and-why.md).
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
    /// By template, made for the first page that needs it and kept; empty if templates are on disk.
    private let programs = Mutex<[String: Program]>([:])

    package init(assets: AssetLibrary) { self.assets = assets }

    /// The whole document.
    package func render<Content: Page>(_ page: Content, in context: PageContext) throws -> String {
        let program = try self.program(named: Content.template)
        let site = Site(context, title: page.title, validUntil: page.validUntil, assets: assets)
        var output = try withUnsafePointer(to: page) { page in
            try withUnsafePointer(to: site) { site in
                var rendering = Rendering(
                    page: Shape.reader(of: Content.self)(page), site: Shape.reader(of: Site.self)(site),
                    included: self.program(named:))
                try rendering.run(program)
                return rendering.output
            }
        }
        ShownFields.write(into: &output, context)
        return String(decoding: output, as: UTF8.self)
    }

    private func program(named name: String) throws -> Program {
        if let known = programs.withLock({ $0[name] }) { return known }
        let program = try Program(name, parts: parts)
        if assets.directory == nil { programs.withLock { $0[name] = program } }
        return program
    }

    private func parts(_ name: String) throws -> [TemplatePart] {
        let path = "Templates/\(name).mustache"
        guard let asset = assets.asset(at: path) else { throw Failure.noTemplate(name) }
        do { return try TemplatePart.parse(Self.opening + Self.trimmed(asset.text)) } catch {
            throw Failure.unreadable(template: path, reason: String(describing: error))
        }
    }

    /// Without a tag before it, the parser takes the line end after a template's first tag away.
    private static let opening = "{{!}}"

    /// Removes the indentation of lines.
    private static func trimmed(_ template: String) -> String {
        template.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
            .joined(separator: "\n")
    }
}
