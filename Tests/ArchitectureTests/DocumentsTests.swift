import Foundation
import Testing

/// What the documents say of the tree is true: paths exist, dependencies are pinned. `test_docs` follows their links.
@Suite struct DocumentsTests {
    static let repository = RequirementsTests.repository

    /// Every Markdown file that is ours, by its path from the top.
    static let documents: [String] = {
        let files = FileManager.default
        let top = (try? files.contentsOfDirectory(atPath: repository.path)) ?? []
        let docs = (try? files.subpathsOfDirectory(atPath: repository.appending(path: "Docs").path)) ?? []
        return (top + docs.map { "Docs/" + $0 }).filter { $0.hasSuffix(".md") }.sorted()
    }()

    static func text(_ document: String) throws -> String {
        try String(contentsOf: repository.appending(path: document), encoding: .utf8)
    }

    static func exists(_ path: String, beside folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).standardized.path)
    }

    /// Of a path that varies (`<Feature>`, `*`) the folder counts.
    @Test(arguments: documents) func pathsAreThere(_ document: String) throws {
        let paths = /`((?:Sources|Tests|Docs|Catalog|Public|Templates|Packaging|Scripts)\/[^`<*\s]*)([<*]?)/
        for path in try Self.text(document).matches(of: paths) {
            let named = path.2.isEmpty ? path.1 : path.1[...(path.1.lastIndex(of: "/") ?? path.1.startIndex)]
            #expect(Self.exists(String(named), beside: Self.repository), "\(document): \(named)")
        }
    }

    /// `Docs/decisions/no-lock-file.md`.
    @Test func dependenciesArePinned() throws {
        let packages = try Self.text("Package.swift").matches(of: /\.package\(\s*url: "[^"]+",([^)]+)\)/)
        #expect(packages.count > 10)
        for package in packages { #expect(package.1.contains("exact: \""), "\(package.0)") }
    }
}
