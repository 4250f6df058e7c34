import Foundation

/// Reads JSON (RFC 8259) member by member, without `Codable`: the runtime searches all conformances of the program for
/// each type that `Codable` decodes, and a start reads the whole catalog.
struct JSONReader {
    /// The text is not as expected at this byte.
    struct Fault: Error, CustomStringConvertible {
        let byte: Int

        var description: String { "The JSON is not as expected at byte \(byte)." }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    /// Reads one value, with nothing behind it.
    static func read<Value>(_ json: [UInt8], _ value: (inout JSONReader) throws -> Value) throws -> Value {
        try json.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes: bytes)
            let value = try value(&reader)
            guard reader.next() == nil else { throw reader.fault }
            return value
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var fault: Fault { Fault(byte: place) }

    /// Hands over each member's name; `member` reads or skips its value.
    mutating func object(_ member: (inout JSONReader, String) throws -> Void) throws {
        try list("{", "}") { reader in
            let name = try reader.string()
            try reader.take(":")
            try member(&reader, name)
        }
    }

    mutating func array<Element>(_ element: (inout JSONReader) throws -> Element) throws -> [Element] {
        var elements: [Element] = []
        try list("[", "]") { elements.append(try element(&$0)) }
        return elements
    }

    mutating func strings() throws -> [String] { try array { try $0.string() } }

    mutating func bool() throws -> Bool {
        let word: StaticString = next() == UInt8(ascii: "t") ? "true" : "false"
        try take(word)
        return word.utf8CodeUnitCount == 4
    }

    mutating func string() throws -> String {
        try take("\"")
        let start = place
        var isEscaped = false
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            if bytes[place] == UInt8(ascii: "\\") {
                isEscaped = true
                place += 1
            }
            place += 1
        }
        try take("\"")
        guard isEscaped else { return String(decoding: bytes[start..<place - 1], as: UTF8.self) }
        let quoted = Data(UnsafeBufferPointer(rebasing: bytes[start - 1..<place]))
        guard let text = try? JSONDecoder().decode(String.self, from: quoted) else { throw fault }
        return text
    }

    /// Passes over a value of any kind.
    mutating func skip() throws {
        switch next() {
        case UInt8(ascii: "{"): try object { reader, _ in try reader.skip() }
        case UInt8(ascii: "["): _ = try array { try $0.skip() }
        case UInt8(ascii: "\""): _ = try string()
        default:
            let start = place
            while place < bytes.count, Self.isWord(bytes[place]) { place += 1 }
            guard place > start else { throw fault }
        }
    }

    private mutating func list(
        _ first: StaticString, _ last: StaticString, _ element: (inout JSONReader) throws -> Void
    ) throws {
        try take(first)
        if next() != last.utf8Start.pointee {
            try element(&self)
            while next() == UInt8(ascii: ",") {
                place += 1
                try element(&self)
            }
        }
        try take(last)
    }

    /// The next byte that is no space; nil at the end.
    private mutating func next() -> UInt8? {
        while place < bytes.count, bytes[place] <= 0x20 { place += 1 }
        return place < bytes.count ? bytes[place] : nil
    }

    private mutating func take(_ word: StaticString) throws {
        guard next() != nil, place + word.utf8CodeUnitCount <= bytes.count,
            (0..<word.utf8CodeUnitCount).allSatisfy({ bytes[place + $0] == word.utf8Start[$0] })
        else { throw fault }
        place += word.utf8CodeUnitCount
    }

    /// The bytes of numbers, true, false and null.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
