import Foundation
import HTTPTypes
import Hummingbird
import Policy

/// A decoded JSON value of any shape.
private enum JSONValue: Decodable {
    case null
    case bool(Bool)
    case int(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}

/// One JSON object as a program sent it, read field by field with every reason against it collected, as forms are.
struct JSONBody {
    private let members: [String: JSONValue]
    private let prefix: String
    private var known: Set<String> = []
    private(set) var reasons: [String: String] = [:]

    /// The most that a body may weigh, in bytes.
    static let maximum = 256 * 1024

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
        guard JSONDepth.isShallow(bytes.readableBytesView) else { throw Problem(.invalidJSON) }
        do {
            let decoded = try JSONDecoder().decode(JSONValue.self, from: Data(bytes.readableBytesView))
            guard case .object(let members) = decoded else { throw Problem(.invalidJSON) }
            self.init(members: members)
        } catch is DecodingError {
            throw Problem(.invalidJSON)
        }
    }

    private init(members: [String: JSONValue], prefix: String = "") {
        self.members = members
        self.prefix = prefix
    }

    func contains(_ name: String) -> Bool { members[name] != nil }

    mutating func refuse(_ name: String, _ reason: String) {
        if reasons[prefix + name] == nil { reasons[prefix + name] = reason }
    }

    /// Names a member that may be there and is not used.
    mutating func ignore(_ name: String) { known.insert(name) }

    mutating func int(_ name: String) -> Int? {
        known.insert(name)
        if case .int(let value) = members[name] { return value }
        refuse(name, "This must be a whole number.")
        return nil
    }

    mutating func bool(_ name: String) -> Bool? {
        known.insert(name)
        if case .bool(let value) = members[name] { return value }
        refuse(name, "This must be true or false.")
        return nil
    }

    /// - Parameter limit: the most bytes that it may have.
    mutating func string(_ name: String, upTo limit: Int = 1024) -> String? {
        known.insert(name)
        if case .string(let value) = members[name], value.utf8.count <= limit { return value }
        refuse(name, "This must be a text.")
        return nil
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
        if case .array(let values) = members[name], values.count <= 4096 {
            let texts = values.compactMap { value in
                if case .string(let text) = value, text.utf8.count <= 1024 { text } else { nil }
            }
            if texts.count == values.count { return texts }
        }
        refuse(name, "This must be a list of texts.")
        return nil
    }

    /// One of a closed list; `of` names its members to who sent another.
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

    /// More than any list that a household can have; rules say what else is too many.
    private static let maximumObjects = 2_000

    /// A list of objects, each read by `read`; a missing list is an empty one.
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
            guard case .object(let members) = value else {
                refuse(name, "This must be a list of objects.")
                return nil
            }
            var body = JSONBody(members: members, prefix: "\(name)[\(index)].")
            let result = read(&body)
            body.noteStrangers()
            reasons.merge(body.reasons) { first, _ in first }
            return result
        }
    }

    /// An object within this one, read by `read`.
    mutating func object<T>(_ name: String, _ read: (inout JSONBody) -> T) -> T? {
        known.insert(name)
        guard case .object(let members) = members[name] else {
            refuse(name, "This must be an object.")
            return nil
        }
        var body = JSONBody(members: members, prefix: "\(prefix)\(name).")
        let result = read(&body)
        body.noteStrangers()
        reasons.merge(body.reasons) { first, _ in first }
        return result
    }

    /// Throws what was collected, and names what nobody asked for.
    mutating func finish() throws {
        noteStrangers()
        try throwIfRefused()
    }

    func throwIfRefused() throws {
        guard reasons.isEmpty else { throw Problem(.invalidInput, errors: reasons) }
    }

    private mutating func noteStrangers() {
        for name in Set(members.keys).subtracting(known).sorted().prefix(10) {
            refuse(String(name.prefix(60)), "There is no such member.")
        }
    }
}
