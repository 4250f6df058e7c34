import Foundation

/// A document as JSON, with the members that this build does not know.
enum JSONTree: Codable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONTree].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONTree].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    init(json: String) throws { self = try JSONDecoder().decode(JSONTree.self, from: Data(json.utf8)) }

    var json: String {
        get throws { String(decoding: try JSONEncoder.ofDocuments.encode(self), as: UTF8.self) }
    }
}

extension JSONTree {
    /// Whose value holds if both sides changed the same member.
    enum Preference { case mine, theirs }

    /// Merges the changes from `base` to `mine` into `theirs`, member by member. What only `theirs` has stays. So a
    /// write of an older build keeps a newer build's members, and the changes of a node that was cut off join those of
    /// the others.
    ///
    /// Nil: the document or member does not exist.
    static func merged(
        base: JSONTree?, mine: JSONTree?, theirs: JSONTree?, preferring preference: Preference
    ) -> JSONTree? {
        if mine == base || mine == theirs { return theirs }
        if theirs == base { return mine }
        switch (base, mine, theirs) {
        case (.object(let base)?, .object(let mine)?, .object(let theirs)?):
            let names = Set(mine.keys).union(theirs.keys)
            return .object(
                Dictionary(
                    uniqueKeysWithValues: names.compactMap { name in
                        merged(
                            base: base[name], mine: mine[name], theirs: theirs[name], preferring: preference
                        ).map { (name, $0) }
                    }))
        case (.list(let base)?, .list(let mine)?, .list(let theirs)?)
        where preference == .mine || (mine + theirs).allSatisfy(\.isObject):
            return .list(merged(base, mine, theirs, preference))
        default: return preference == .mine ? mine : theirs
        }
    }

    /// Two elements of a list are the same if their `id` is the same, or if they are equal. An element of `base` that
    /// `mine` lacks is gone; so is one that `theirs` lacks, unless `mine` is preferred.
    private static func merged(
        _ base: [JSONTree], _ mine: [JSONTree], _ theirs: [JSONTree], _ preference: Preference
    ) -> [JSONTree] {
        // If this build reads `theirs` as `base`, their places correspond, so that elements without an id match too.
        let isAligned = preference == .mine && base.count == theirs.count
        let known = byIdentity(base.map { ($0.identity, $0) })
        let other = byIdentity(
            theirs.enumerated().map { (isAligned ? base[$0].identity : $1.identity, $1) })
        let own = Set(mine.map(\.identity))
        let kept = mine.compactMap { element -> JSONTree? in
            let identity = element.identity
            guard let theirs = other[identity] else {
                return known[identity] == nil || preference == .mine ? element : nil
            }
            return merged(base: known[identity], mine: element, theirs: theirs, preferring: preference)
        }
        return kept + theirs.filter { !own.contains($0.identity) && known[$0.identity] == nil && !isAligned }
    }

    private static func byIdentity(_ elements: [(JSONTree, JSONTree)]) -> [JSONTree: JSONTree] {
        Dictionary(elements, uniquingKeysWith: { first, _ in first })
    }

    private var isObject: Bool { if case .object = self { true } else { false } }

    private var identity: JSONTree {
        if case .object(let members) = self, let id = members["id"] { id } else { self }
    }
}
