import Assets
import Pages

extension PageState {
    /// For all tests: to parse the templates takes longer than to render most pages.
    static let renderer = PageRenderer(assets: AssetLibrary())

    func html() throws -> String { try Self.renderer.render(page, in: context) }
}
