import Foundation

extension JSONValue {
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads one value in UTF-8, with nothing behind it.
    /// - Parameter maximumDepth: How many objects and lists may stand in each other.
    /// - Throws: `Fault`.
    package init(json: [UInt8], maximumDepth: Int = 128) throws {
        guard String(validating: json, as: UTF8.self) != nil else {
            throw Fault(description: "The JSON is not in UTF-8.")
        }
        self = try json.withUnsafeBufferPointer { bytes in
            var parser = Parser(bytes: bytes, depthLeft: maximumDepth)
            let value = try parser.value()
            guard parser.next() == nil else { throw parser.fault }
            return value
        }
    }
}

/// Parses without `Codable`: for each type that `Codable` decodes, the runtime searches all conformances of the program,
/// and a start reads the whole catalog.
private struct Parser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var depthLeft: Int
    private var place = 0

    init(bytes: UnsafeBufferPointer<UInt8>, depthLeft: Int) {
        self.bytes = bytes
        self.depthLeft = depthLeft
        // Some programs begin with a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    var fault: JSONValue.Fault {
        JSONValue.Fault(description: "The JSON is not as expected at byte \(place).")
    }

    mutating func value() throws -> JSONValue {
        switch next() {
        case UInt8(ascii: "{"):
            .object(
                try list(to: UInt8(ascii: "}")) { parser in
                    let name = try parser.string()
                    try parser.take(UInt8(ascii: ":"))
                    return (name, try parser.value())
                })
        case UInt8(ascii: "["): .array(try list(to: UInt8(ascii: "]")) { try $0.value() })
        case UInt8(ascii: "\""): .string(try string())
        default: try word()
        }
    }

    /// The next byte that is no space; nil at the end.
    mutating func next() -> UInt8? {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x0A, 0x0D, 0x09: place += 1
            case let byte: return byte
            }
        }
        return nil
    }

    private mutating func take(_ byte: UInt8) throws {
        guard next() == byte else { throw fault }
        place += 1
    }

    private mutating func list<Element>(
        to last: UInt8, _ element: (inout Parser) throws -> Element
    ) throws -> [Element] {
        guard depthLeft > 0 else { throw fault }
        depthLeft -= 1
        place += 1
        var elements: [Element] = []
        if next() != last {
            elements.append(try element(&self))
            while next() == UInt8(ascii: ",") {
                place += 1
                elements.append(try element(&self))
            }
        }
        try take(last)
        depthLeft += 1
        return elements
    }

    private mutating func string() throws -> String {
        try take(UInt8(ascii: "\""))
        let start = place
        var isEscaped = false
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            guard bytes[place] >= 0x20 else { throw fault }
            if bytes[place] == UInt8(ascii: "\\") {
                isEscaped = true
                place += 1
            }
            place += 1
        }
        try take(UInt8(ascii: "\""))
        guard isEscaped else { return String(decoding: bytes[start..<place - 1], as: UTF8.self) }
        guard let text = decoded(String.self, start - 1..<place) else { throw fault }
        return text
    }

    /// A number, true, false or null.
    private mutating func word() throws -> JSONValue {
        let start = place
        while place < bytes.count, Self.isWord(bytes[place]) { place += 1 }
        switch String(decoding: bytes[start..<place], as: UTF8.self) {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
            if let whole = decoded(Int.self, start..<place) { return .int(whole) }
            guard let number = decoded(Double.self, start..<place) else { throw fault }
            return .number(number)
        }
    }

    /// What takes more than a look is Foundation's: escapes, and the grammar of numbers.
    private func decoded<Value: Decodable>(_ type: Value.Type, _ range: Range<Int>) -> Value? {
        try? JSONDecoder().decode(type, from: Data(UnsafeBufferPointer(rebasing: bytes[range])))
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
