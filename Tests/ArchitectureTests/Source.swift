import Foundation
import Testing

/// One Swift file below `Sources/`, without its comments.
struct Source: Sendable, CustomTestStringConvertible {
    /// Relative to `Sources/`.
    let path: String
    let code: String
    let lines: Int

    var testDescription: String { path }
    var room: String { String(path.prefix { $0 != "/" }) }

    var imports: Set<String> {
        Set(
            code.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                guard let at = words.firstIndex(of: "import"), at <= 2, words.count > at + 1 else {
                    return nil
                }
                return String(words.last!.prefix { $0 != "." })
            })
    }

    static let all: [Source] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            return Source(path: path, code: code, lines: lines.count - 1)
        }
    }()
}
