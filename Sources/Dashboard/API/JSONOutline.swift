import Foundation

/// Facts about JSON, from its bytes, before anything parses it. The depth: the decoder's effort grows with its cube. A
/// repeated member: the decoder keeps one of the two silently (RFC 8259, 4). If the bytes are no JSON, the facts do not
/// matter.
struct JSONOutline {
    /// Deeper than anything that we accept.
    static let maximumDepth = 16

    private(set) var isShallow = true
    /// The path of a repeated member, as reasons name it: `raw.selection.v`, `windows[0].start`.
    private(set) var repeated: String?

    private var open: [Container] = []
    private var text: [UInt8]?
    private var isEscaped = false

    /// An object or a list that has begun.
    private struct Container {
        let isObject: Bool
        var names: Set<String> = []
        /// The member that is being read.
        var name = ""
        var index = 0
        /// Whether the next text is a member's name.
        var awaitsName: Bool
    }

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes where isShallow {
            if text != nil { readText(byte) } else { read(byte) }
        }
    }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): text = []
        case UInt8(ascii: "["), UInt8(ascii: "{"):
            let isObject = byte == UInt8(ascii: "{")
            open.append(Container(isObject: isObject, awaitsName: isObject))
            isShallow = open.count <= Self.maximumDepth
        case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
        case UInt8(ascii: ",") where !open.isEmpty:
            open[open.count - 1].index += 1
            open[open.count - 1].awaitsName = open[open.count - 1].isObject
        default: break
        }
    }

    private mutating func readText(_ byte: UInt8) {
        if !isEscaped, byte == UInt8(ascii: "\"") {
            end(text ?? [])
            text = nil
            return
        }
        text?.append(byte)
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }

    private mutating func end(_ text: [UInt8]) {
        guard let innermost = open.indices.last, open[innermost].awaitsName else { return }
        let name = Self.decoded(text)
        open[innermost].awaitsName = false
        open[innermost].name = name
        if !open[innermost].names.insert(name).inserted, repeated == nil { repeated = path }
    }

    /// `"d\u0061te"` is `date`.
    private static func decoded(_ text: [UInt8]) -> String {
        let plain = String(decoding: text, as: UTF8.self)
        guard text.contains(UInt8(ascii: "\\")) else { return plain }
        return (try? JSONDecoder().decode(String.self, from: Data("\"\(plain)\"".utf8))) ?? plain
    }

    private var path: String {
        open.reduce(into: "") { path, container in
            if container.isObject {
                path += (path.isEmpty ? "" : ".") + container.name.prefix(60)
            } else {
                path += "[\(container.index)]"
            }
        }
    }
}
