import Assets
import Foundation
import Testing

struct AssetTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path()

    /// After adding, renaming or deleting a file, `make assets` updates the list.
    @Test(arguments: ["Templates", "Public", "Catalog"])
    func everyFileIsCompiledIn(folder: String) throws {
        let embedded = AssetLibrary()
        let onDisk = AssetLibrary(directory: Self.root)
        #expect(embedded.paths(under: folder) == onDisk.paths(under: folder))
        for path in onDisk.paths(under: folder) {
            let compiledIn = try #require(embedded.asset(at: path))
            #expect(compiledIn.bytes == onDisk.asset(at: path)?.bytes, "\(path)")
            #expect(compiledIn.mediaType != "application/octet-stream" || path.hasSuffix(".mustache"))
        }
    }

    @Test func hashesTellVersionsApart() throws {
        let library = AssetLibrary()
        let base = try #require(library.asset(at: "Public/base.css"))
        let controls = try #require(library.asset(at: "Public/controls.css"))
        #expect(base.hash != controls.hash)
        #expect(base.hash.count == 16)
        #expect(base.hash == AssetLibrary(directory: Self.root).asset(at: "Public/base.css")?.hash)
    }

    /// FNV-1a's published test vectors.
    @Test func theHashIsFNV1a() {
        #expect(Asset(path: "", bytes: []).hash == "cbf29ce484222325")
        #expect(Asset(path: "", bytes: Array("foobar".utf8)).hash == "85944171f73967e8")
    }

    @Test(arguments: [
        "Public/../Package.swift", "../Package.swift", "/etc/passwd", "Package.swift", "Public/.hidden",
        "Public//base.css", "Public/base.css\u{0}", "", "Public", "Templates/../Public/base.css",
    ])
    func noPathClimbsOut(path: String) {
        #expect(AssetLibrary().asset(at: path) == nil)
        #expect(AssetLibrary(directory: Self.root).asset(at: path) == nil)
    }

    /// `make tokens` generates the variables from the tokens.
    @Test func variablesAreWhatTheTokensSay() throws {
        let library = AssetLibrary()
        let tokens = try #require(library.asset(at: "Public/tokens.json"))
        let groups = try JSONDecoder().decode(Groups.self, from: Data(tokens.bytes))
        let css = try #require(library.asset(at: "Public/tokens.css")).text
        let variables = css.split(separator: "\n").filter { $0.hasPrefix("    --") }
        #expect(Set(variables.map(String.init)) == Set(groups.lines))
        let light = css.split(separator: "\n").filter { $0.hasPrefix("        --") }
        #expect(Set(light.map(String.init)) == Set(groups.light))
    }

    private struct Groups: Decodable {
        let color: [String: String]
        let radius: [String: Double]
        let spacing: [String: Double]
        let mono: [String: [String: String]]
        let ring: [String: Double]
        let moon: [String: Double]

        var lines: [String] {
            let colors = color.map { "    --\(kebab($0)): \($1);" }
            let lengths = [("radius", radius), ("spacing", spacing), ("ring", ring), ("moon", moon)].flatMap {
                group, values in
                values.map {
                    "    --\(group)-\(kebab($0)): \(($1 / 16).formatted(.number.grouping(.never).locale(.init(identifier: "en_US"))))rem;"
                }
            }
            return colors + lengths + own("dark").map { "    " + $0 }
        }

        /// MF-074, C-23: the values where the system asks for light.
        var light: [String] { own("light").map { "        " + $0 } }

        /// The primary colour is also there as its channels.
        private func own(_ scheme: String) -> [String] {
            let colors = mono[scheme] ?? [:]
            let primary = Int(colors["primary"]?.dropFirst() ?? "", radix: 16) ?? -1
            let ink = [16, 8, 0].map { String(primary >> $0 & 255) }.joined(separator: " ")
            return colors.map { "--mono-\(kebab($0)): \($1);" } + ["--mono-ink: \(ink);"]
        }

        private func kebab(_ name: String) -> String {
            name.replacing(/[A-Z]/) { "-\($0.output.lowercased())" }
        }
    }
}
