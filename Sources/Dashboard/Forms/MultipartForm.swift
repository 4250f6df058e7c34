package import Foundation

/// A posted form with a file (`multipart/form-data`, RFC 7578), bounded and strictly read.
package struct MultipartForm: Sendable {
    /// The bytes are not such a form.
    package struct Fault: Error, Equatable {}

    package static let maximumParts = 16
    private static let maximumHead = 4096
    private static let lineEnd = Data("\r\n".utf8)

    /// The parts that are not files.
    package private(set) var fields: FormFields
    /// The one file, which can be empty; nil if none was sent.
    package private(set) var file: Data?

    /// - Parameter type: the request's `Content-Type`, which names the boundary.
    package init(_ body: Data, type: String) throws(Fault) {
        guard let boundary = Self.boundary(of: type) else { throw Fault() }
        let opening = Data("--\(boundary)".utf8)
        let closing = Self.lineEnd + opening
        guard body.starts(with: opening) else { throw Fault() }
        var pairs: [(name: String, value: String)] = []
        var rest = body.dropFirst(opening.count)
        var count = 0
        while !rest.starts(with: Data("--".utf8)) {
            count += 1
            guard count <= Self.maximumParts, rest.starts(with: Self.lineEnd),
                let head = rest.range(of: Data("\r\n\r\n".utf8)),
                head.lowerBound - rest.startIndex <= Self.maximumHead,
                let end = rest.range(of: closing, in: head.upperBound - 2..<rest.endIndex)
            else { throw Fault() }
            let content = rest[head.upperBound..<max(head.upperBound, end.lowerBound)]
            let part = try Part(head: rest[rest.startIndex..<head.lowerBound])
            if part.isFile {
                guard file == nil else { throw Fault() }
                file = Data(content)
            } else {
                guard content.count <= FormFields.maximumValueBytes,
                    let value = String(validating: content, as: UTF8.self)
                else { throw Fault() }
                pairs.append((part.name, value))
            }
            rest = rest[end.upperBound...]
        }
        fields = FormFields(pairs: pairs)
    }

    /// RFC 2046, 5.1.1: 1 to 70 characters; browsers use only letters, digits and dashes.
    private static func boundary(of type: String) -> String? {
        let parts = type.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
        let named = parts.dropFirst().first { $0.lowercased().hasPrefix("boundary=") }
        let boundary = named?.dropFirst("boundary=".count).trimmingCharacters(in: ["\""]) ?? ""
        return (1...70).contains(boundary.utf8.count) ? boundary : nil
    }

    /// One part, from the header lines before its content.
    private struct Part {
        var name: String
        var isFile: Bool

        init(head: Data) throws(Fault) {
            guard let text = String(validating: head, as: UTF8.self) else { throw Fault() }
            let lines = text.split(separator: "\r\n")
            let line = lines.first { $0.lowercased().hasPrefix("content-disposition:") }
            guard let line, let name = line.firstMatch(of: /;\s*name="([^"]*)"/)?.1, name.utf8.count <= 64
            else { throw Fault() }
            self.name = String(name)
            isFile = line.contains(/;\s*filename\*?=/)
        }
    }
}
