import Foundation
import HTTPTypes
import Hummingbird
import Policy

/// One JSON object from a program. It is read field by field and collects all reasons to refuse it, as forms do.
struct JSONBody {
    private let members: [String: JSONValue]
    private let prefix: String
    private var known: Set<String> = []
    private(set) var reasons: [String: String] = [:]

    /// The longest body, in bytes.
    static let maximum = 256 * 1024
    /// Deeper than anything that we accept.
    private static let maximumDepth = 16

    init(_ request: Request) async throws {
        if let type = request.headers[.contentType]?.split(separator: ";").first?.lowercased(),
            type != "application/json", !type.hasSuffix("+json")
        {
            throw Problem(.unsupportedMediaType)
        }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Self.maximum {
            throw Problem(.tooLarge)
        }
        let bytes = try await request.body.collect(upTo: Self.maximum)
        guard bytes.readableBytes > 0 else {
            self.init(members: [:])
            return
        }
        guard
            let body = try? JSONValue(
                json: Array(bytes.readableBytesView), maximumDepth: Self.maximumDepth),
            let members = body.members
        else { throw Problem(.invalidJSON) }
        if let name = body.repeatedMember {
            throw Problem(.repeated, errors: [name: "This is in the body more than once."])
        }
        self.init(members: members)
    }

    /// Whether unknown members are ignored, because newer clients send them; else they are refused.
    var toleratesStrangers = false

    private init(members: [String: JSONValue], prefix: String = "") {
        self.members = members
        self.prefix = prefix
    }

    func contains(_ name: String) -> Bool { members[name] != nil }

    func isNull(_ name: String) -> Bool { members[name] == .null }

    mutating func refuse(_ name: String, _ reason: String) {
        if reasons[prefix + name] == nil { reasons[prefix + name] = reason }
    }

    /// Allows a member that is not used.
    mutating func ignore(_ name: String) { known.insert(name) }

    /// What `read` takes of a member; nil refuses it with the reason.
    private mutating func member<Value>(
        _ name: String, _ reason: String, _ read: (JSONValue) -> Value?
    ) -> Value? {
        known.insert(name)
        let value = members[name].flatMap(read)
        if value == nil { refuse(name, reason) }
        return value
    }

    mutating func int(_ name: String) -> Int? {
        member(name, "This must be a whole number.") { if case .int(let value) = $0 { value } else { nil } }
    }

    mutating func bool(_ name: String) -> Bool? {
        member(name, "This must be true or false.") { if case .bool(let value) = $0 { value } else { nil } }
    }

    /// The length of a text or a list that nothing limits further.
    static let textLength = 0...1_024
    static let listLength = 0...4_096

    /// - Parameter length: in characters, as JSON Schema counts them.
    mutating func string(_ name: String, _ length: ClosedRange<Int> = textLength) -> String? {
        let text = member(name, "This must be a text.") {
            if case .string(let value) = $0 { value } else { nil }
        }
        guard let value = text else { return nil }
        let count = value.unicodeScalars.count
        guard length.contains(count) else {
            refuse(
                name,
                count > length.upperBound
                    ? "This has \(count) characters. Use at most \(length.upperBound)."
                    : "This must not be empty.")
            return nil
        }
        return value
    }

    /// A whole number, or null for none.
    mutating func intOrNull(_ name: String) -> Int?? {
        known.insert(name)
        switch members[name] {
        case .int(let value): return .some(value)
        case .null: return .some(nil)
        default:
            refuse(name, "This must be a whole number or null.")
            return nil
        }
    }

    mutating func strings(_ name: String) -> [String]? {
        known.insert(name)
        guard case .array(let values) = members[name] else {
            refuse(name, "This must be a list of texts.")
            return nil
        }
        let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        if texts.count < values.count {
            refuse(name, "This must be a list of texts.")
        } else if !Self.listLength.contains(texts.count) {
            refuse(name, "This is too long. Use at most \(Self.listLength.upperBound) texts.")
        } else if !texts.allSatisfy({ Self.textLength.contains($0.unicodeScalars.count) }) {
            refuse(name, "A text in it is longer than \(Self.textLength.upperBound) characters.")
        }
        return reasons[prefix + name] == nil ? texts : nil
    }

    mutating func ints(_ name: String) -> [Int]? {
        known.insert(name)
        guard case .array(let values) = members[name], Self.listLength.contains(values.count) else {
            refuse(name, "This must be a list of whole numbers.")
            return nil
        }
        let numbers = values.compactMap { if case .int(let value) = $0 { value } else { nil } }
        if numbers.count < values.count { refuse(name, "This must be a list of whole numbers.") }
        return reasons[prefix + name] == nil ? numbers : nil
    }

    /// One value of a closed list; the refusal names them all.
    mutating func choice<Choice: RawRepresentable<String>>(_ name: String, of all: [Choice]) -> Choice? {
        guard let text = string(name) else { return nil }
        if let value = all.first(where: { $0.rawValue == text }) { return value }
        refuse(name, "This must be one of \(all.map(\.rawValue).joined(separator: ", ")).")
        return nil
    }

    mutating func time(_ name: String) -> TimeOfDay? {
        guard let text = string(name) else { return nil }
        if let time = TimeOfDay(text) { return time }
        refuse(name, "This must be a time from 00:00 to 23:59.")
        return nil
    }

    /// More than any list of a household has; the rules have lower limits.
    static let maximumObjects = 2_000

    /// A list of objects, each read by `read`; a missing list is empty.
    mutating func objects<T>(_ name: String, _ read: (inout JSONBody) -> T?) -> [T] {
        known.insert(name)
        guard let member = members[name] else { return [] }
        guard case .array(let values) = member else {
            refuse(name, "This must be a list of objects.")
            return []
        }
        guard values.count <= Self.maximumObjects else {
            refuse(name, "This must be a list of at most \(Self.maximumObjects) objects.")
            return []
        }
        return values.enumerated().compactMap { index, value in
            guard let members = value.members else {
                refuse(name, "This must be a list of objects.")
                return nil
            }
            var body = JSONBody(members: members, prefix: "\(prefix)\(name)[\(index)].")
            let result = read(&body)
            body.noteStrangers()
            reasons.merge(body.reasons) { first, _ in first }
            return result
        }
    }

    /// An object in this one, read by `read`.
    mutating func object<T>(_ name: String, _ read: (inout JSONBody) -> T) -> T? {
        guard let members = member(name, "This must be an object.", \.members) else { return nil }
        var body = JSONBody(members: members, prefix: "\(prefix)\(name).")
        body.toleratesStrangers = toleratesStrangers
        let result = read(&body)
        body.noteStrangers()
        reasons.merge(body.reasons) { first, _ in first }
        return result
    }

    /// Throws the collected reasons, unknown members among them.
    mutating func finish() throws {
        noteStrangers()
        try throwIfRefused()
    }

    func throwIfRefused() throws {
        guard reasons.isEmpty else { throw Problem(.invalidInput, errors: reasons) }
    }

    private mutating func noteStrangers() {
        if toleratesStrangers { return }
        for name in Set(members.keys).subtracting(known).sorted().prefix(10) {
            refuse(String(name.prefix(60)), "There is no member of this name.")
        }
    }
}
