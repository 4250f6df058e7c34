package import Foundation

/// How the nodes of a household agree on its changes. A household on one machine has none.
package protocol Agreement: Sendable {
    /// Blocks until the other nodes have the change, for some seconds at most.
    ///
    /// - Returns: the new head.
    /// - Throws: `HeadMoved` if another change came first, `NotInTouchYet` while the others' changes are being read,
    ///   `StoreError.cutOff` if the others cannot be asked.
    func propose(_ proposal: Proposal) throws -> Head

    /// What this node believes the time to be.
    var now: @Sendable () -> Date { get }

    /// By how many seconds that is ahead of what another node believes; nil: it is not known.
    func lead(over node: Int) -> TimeInterval?
}

/// The last change on which the nodes have agreed; all of them have the same order of changes.
package struct Head: Codable, Hashable, Sendable {
    /// etcd's revision of the last change.
    package var revision: Int64
    /// The change's number; it counts by one.
    package var number: Int64
    /// The digest of all changes (`Proof.chain`); nil: the last one is of a build from before the proofs.
    package var chain: Data?

    /// Before the first change.
    package static let none = Head(revision: 0, number: 0)

    package init(revision: Int64, number: Int64, chain: Data? = nil) {
        self.revision = revision
        self.number = number
        self.chain = chain
    }
}

/// Another change came first: the rule must be applied again to the household as it is then.
package struct HeadMoved: Error { package init() {} }

/// This node will be able to agree on a change in a moment.
package struct NotInTouchYet: Error {
    /// Why not now, in the middle of a sentence.
    package let reason: String

    package init(reason: String) { self.reason = reason }
}

/// A change to which the other nodes must agree. Texts are JSON, by name: `document/person/2`, `access/passcode`.
package struct Proposal: Sendable {
    /// How many texts `tellOthers` puts into one: etcd takes 128 operations, and the head and the story are two.
    static let most = 100

    /// Tells whether this change was carried out, if no answer came.
    package let id: UUID
    /// The head from which it was made.
    package let head: Head
    package let puts: [String: String]
    package let removals: Set<String>
    /// How many texts there are after the change.
    package let count: Int
    /// What happened, for every node's history (`Story`); nil: nothing.
    package let story: String?
    package let proof: Proof
}

/// Changes by other nodes, as this node hears of them.
package struct SharedNews: Sendable {
    package var head: Head
    /// Whether `puts` holds every text.
    package var isWhole: Bool
    package var puts: [String: String]
    package var removals: Set<String>
    /// The names of texts that exist and cannot be opened; the known ones stay.
    package var unreadable: Set<String>
    /// By the numbers of their changes.
    package var stories: [Int64: String]
    /// What was sealed with the head; nil: a build from before the proofs made it.
    package var proof: Proof?
    /// The digests of all texts after each change since the known one, by the changes' numbers.
    package var steps: [Int64: Data] = [:]
    /// From where the changes are counted on a node that knows none: it was told so by an invitation.
    package var base: Head?

    package init(
        head: Head, isWhole: Bool, puts: [String: String], removals: Set<String> = [],
        unreadable: Set<String> = [], stories: [Int64: String] = [:], proof: Proof? = nil, base: Head? = nil
    ) {
        self.head = head
        self.isWhole = isWhole
        self.puts = puts
        self.removals = removals
        self.unreadable = unreadable
        self.stories = stories
        self.proof = proof
        self.base = base
    }
}

/// The agreed state, as this store keeps it beside its documents: JSON as the newest build wrote it.
struct Sharing: Sendable {
    let agreement: any Agreement
    /// This node's number, from 0.
    let node: Int
    var head: Head
    var texts: [String: String]
    /// Whether a change holds here that the other nodes do not know yet.
    var isPending: Bool
    /// Whether the rows lack some of it, because the disk refused it.
    var isBehind = false
    /// Whether the store may have opened with damaged rules.
    var isDoubtful = false
}
