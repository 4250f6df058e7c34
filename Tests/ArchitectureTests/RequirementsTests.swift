import Foundation
import Testing

/// Holds `Docs/requirements.md` to its promise: every line names a test, and every test that it names is there.
@Suite struct RequirementsTests {
    /// How many lines of each kind there are; lines come in order and none is left out.
    static let counts = [
        "UR": 27, "SI": 210, "AR": 97, "MF": 99, "TH": 31, "DD": 74, "C": 34, "A": 29, "T": 20,
    ]
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// One row of a table: `| **SI-001** | … | where it is tested |`.
    struct Line: Sendable, CustomTestStringConvertible {
        let id: String
        let text: String
        let tested: String

        var testDescription: String { id }
        /// The tests that it names, as `Suite.function`.
        var tests: [String] { tested.matches(of: /`(\w+\.\w+)`/).map { String($0.1) } }
        /// Apple's own, or asked for later: the row has to say so itself.
        var hasNothingToTest: Bool { tested == "nothing to test" && text.contains(/\bn\/a|future/) }
    }

    static let lines: [Line] = {
        let file = repository.appending(path: "Docs/requirements.md")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { row in
            guard let id = row.prefixMatch(of: /\| \*\*([A-Z]+-\d+)\*\* \|/) else { return nil }
            let cells = row.replacing("\\|", with: "").split(separator: "|", omittingEmptySubsequences: false)
            return Line(
                id: String(id.1), text: cells.dropFirst(2).dropLast(2).joined(separator: "|"),
                tested: cells.dropLast().last?.trimmingCharacters(in: .whitespaces) ?? "")
        }
    }()

    /// Every test function below `Tests/`, as `Suite.function`; the suite is the file's name.
    static let tests: Set<String> = {
        let root = repository.appending(path: "Tests")
        let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        var found: Set<String> = []
        for path in files where path.hasSuffix(".swift") || path.hasSuffix(".py") {
            let text = (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
            let suite = URL(filePath: path).deletingPathExtension().lastPathComponent
            for test in text.matches(of: /(?:func|def) (\w+)\(/) { found.insert("\(suite).\(test.1)") }
        }
        return found
    }()

    @Test(arguments: counts.keys.sorted()) func noLineIsLeftOut(_ kind: String) throws {
        let count = try #require(Self.counts[kind])
        let numbers = Self.lines.filter { $0.id.hasPrefix("\(kind)-") }
            .compactMap { Int($0.id.dropFirst(kind.count + 1)) }
        #expect(numbers == Array(1...count))
    }

    @Test(arguments: lines) func everyLineIsTested(_ line: Line) {
        #expect(!line.tests.isEmpty || line.hasNothingToTest, "\(line.id) names no test")
        let missing = line.tests.filter { !Self.tests.contains($0) }
        #expect(missing.isEmpty, "\(line.id) names \(missing), which is not there")
    }
}
