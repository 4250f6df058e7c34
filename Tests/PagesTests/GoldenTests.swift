import Foundation
import Pages
import Testing

/// Every page in every state, as HTML in `Golden/`. After an intended change: `UPDATE_GOLDEN=1 swift test --filter
/// GoldenTests`, and read the difference before committing it.
struct GoldenTests {
    @Test(arguments: PageState.all)
    func htmlIsAsItWas(_ state: PageState) throws {
        let html = Self.withoutHashes(try state.html())
        let file = Self.folder.appending(path: "\(state.name).html")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            try Data(html.utf8).write(to: file)
            return
        }
        let golden = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(html == golden, "\(state.name) changed; see the comment on GoldenTests")
    }

    @Test func everyGoldenFileHasItsState() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        #expect(Set(files) == Set(PageState.all.map { "\($0.name).html" }))
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

    /// An edited style sheet changes its address on every page, which is not the subject of these files.
    private static func withoutHashes(_ html: String) -> String {
        html.replacing(/\?v=[0-9a-f]{16}/, with: "?v=hash")
    }
}
