package import Foundation

/// How the nodes of a household agree on its changes. A store without one is a household on one machine.
package protocol Agreement: Sendable {
    /// Blocks until the others have it, for some seconds at most.
    ///
    /// - Returns: the new head.
    /// - Throws: `HeadMoved` where another change came first, `StoreError.cutOff` where the others cannot be asked.
    func propose(_ proposal: Proposal) throws -> Head
}

/// Which changes the nodes have agreed on: all up to this one, in one order for everybody.
package struct Head: Codable, Hashable, Sendable {
    /// etcd's revision of the last change.
    package var revision: Int64
    /// Its number; it counts by one.
    package var number: Int64

    /// Before the first.
    package static let none = Head(revision: 0, number: 0)

    package init(revision: Int64, number: Int64) {
        self.revision = revision
        self.number = number
    }
}

/// Another change came first: the rule is applied again to what holds then.
package struct HeadMoved: Error { package init() {} }

/// A change that the others are asked to agree to. Texts are JSON, by name: `document/person/2`, `access/passcode`.
package struct Proposal: Sendable {
    /// Tells a change that was carried out from another, where no answer came.
    package let id: UUID
    /// What it was made from.
    package let head: Head
    package let puts: [String: String]
    package let removals: Set<String>
    /// How many texts there are then.
    package let count: Int
    /// What happened with it, for every node's history (`Story`); nil: nothing.
    package let story: String?
}

/// What other nodes did, as this node hears of it.
package struct SharedNews: Sendable {
    package var head: Head
    /// Whether `puts` is all that there is.
    package var isWhole: Bool
    package var puts: [String: String]
    package var removals: Set<String>
    /// What is there and cannot be opened; what was known of it holds.
    package var unreadable: Set<String>
    /// By their numbers, which are their changes'.
    package var stories: [Int64: String]

    package init(
        head: Head, isWhole: Bool, puts: [String: String], removals: Set<String> = [],
        unreadable: Set<String> = [], stories: [Int64: String] = [:]
    ) {
        self.head = head
        self.isWhole = isWhole
        self.puts = puts
        self.removals = removals
        self.unreadable = unreadable
        self.stories = stories
    }
}

/// What the nodes agreed on, as this store keeps it beside its documents: JSON as the newest build wrote it.
struct Sharing: Sendable {
    let agreement: any Agreement
    /// This node's number, from 0.
    let node: Int
    var head: Head
    var texts: [String: String]
    /// Whether something holds here that the others do not know yet.
    var isPending: Bool
    /// Whether the rows lack some of it, because the disk refused it.
    var isBehind = false
    /// What was found when the store was opened may be what damage left.
    var isDoubtful = false
}
