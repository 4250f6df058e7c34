package import Foundation

/// JSON of any shape (RFC 8259). It keeps its nulls and the order of its members; programs rely on keys that are always
/// there.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])

    /// In the format of `Date.instantText`; null for nil.
    package static func instant(_ date: Date?) -> JSONValue { date.map { .string($0.instantText) } ?? .null }

    package static func == (a: JSONValue, b: JSONValue) -> Bool { a.bytes == b.bytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    /// The members by name; nil if this is no object.
    package var members: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// The first member of this name; nil if there is none, or if this is no object.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == name }?.value
    }

    /// The path of a member that its object has twice, as reasons name it: `raw.selection.v`, `windows[0].start`.
    package var repeatedMember: String? {
        repeatedPath.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    }

    private var repeatedPath: String? {
        switch self {
        case .array(let values):
            for (index, value) in values.enumerated() {
                if let path = value.repeatedPath { return "[\(index)]\(path)" }
            }
        case .object(let members):
            var names: Set<String> = []
            for (name, value) in members {
                let isNew = names.insert(name).inserted
                if let path = isNew ? value.repeatedPath : "" { return ".\(name.prefix(60))\(path)" }
            }
        default: break
        }
        return nil
    }
}

/// As text.
extension JSONValue {
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .int(let value): bytes.append(contentsOf: String(value).utf8)
        case .number(let value): bytes.append(contentsOf: String(value).utf8)
        case .string(let value): Self.append(value, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Escapes `<`, `>` and `&` too, so that the text is harmless in any place.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// For a document, whose members its encoder sorts.
extension JSONValue: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object: try container.encode(members ?? [:])
        }
    }
}
