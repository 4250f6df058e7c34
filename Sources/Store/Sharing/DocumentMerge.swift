import Foundation
import Policy

/// A document as JSON, with the members that this build does not know.
extension JSONValue {
    init(json: String) throws { try self.init(json: Array(json.utf8)) }

    var json: String {
        get throws { String(decoding: try JSONEncoder.ofDocuments.encode(self), as: UTF8.self) }
    }
}

extension JSONValue {
    /// The side whose value holds if both changed the same member.
    enum Preference { case mine, theirs }

    /// Merges the changes from `base` to `mine` into `theirs`, member by member. What only `theirs` has stays. So a
    /// write of an older build keeps a newer build's members, and the changes of a node that was cut off join those of
    /// the others.
    ///
    /// Nil: the document or member does not exist.
    static func merged(
        base: JSONValue?, mine: JSONValue?, theirs: JSONValue?, preferring preference: Preference
    ) -> JSONValue? {
        if mine == base || mine == theirs { return theirs }
        if theirs == base { return mine }
        if let base = base?.members, let mine = mine?.members, let theirs = theirs?.members,
            // Members that a state gives their meaning are one value.
            mine["state"] == nil
        {
            return .object(
                Set(mine.keys).union(theirs.keys).sorted().compactMap { name in
                    merged(
                        base: base[name], mine: mine[name], theirs: theirs[name], preferring: preference
                    ).map { (name, $0) }
                })
        }
        switch (base, mine, theirs) {
        case (.array(let base)?, .array(let mine)?, .array(let theirs)?)
        where preference == .mine || (mine + theirs).allSatisfy(\.isObject):
            return .array(merged(base, mine, theirs, preference))
        default: return preference == .mine ? mine : theirs
        }
    }

    /// Two elements of a list are the same if their `id` is the same, or if they are equal. An element of `base` that
    /// `mine` lacks is gone; so is one that `theirs` lacks, unless `mine` is preferred.
    private static func merged(
        _ base: [JSONValue], _ mine: [JSONValue], _ theirs: [JSONValue], _ preference: Preference
    ) -> [JSONValue] {
        // If this build reads `theirs` as `base`, their places correspond, so that elements without an id match too.
        let isAligned = preference == .mine && base.count == theirs.count
        let known = byIdentity(base.map { ($0.identity, $0) })
        let other = byIdentity(
            theirs.enumerated().map { (isAligned ? base[$0].identity : $1.identity, $1) })
        let own = Set(mine.map(\.identity))
        let kept = mine.compactMap { element -> JSONValue? in
            let identity = element.identity
            guard let theirs = other[identity] else {
                return known[identity] == nil || preference == .mine ? element : nil
            }
            return merged(base: known[identity], mine: element, theirs: theirs, preferring: preference)
        }
        return kept + theirs.filter { !own.contains($0.identity) && known[$0.identity] == nil && !isAligned }
    }

    private static func byIdentity(_ elements: [(JSONValue, JSONValue)]) -> [JSONValue: JSONValue] {
        Dictionary(elements, uniquingKeysWith: { first, _ in first })
    }

    private var isObject: Bool { if case .object = self { true } else { false } }

    private var identity: JSONValue {
        self["id"] ?? self
    }
}
