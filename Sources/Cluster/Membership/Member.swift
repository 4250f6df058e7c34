package import Foundation

/// What a node says of itself, every minute or so and soon after changes.
struct MemberValue: Codable, Hashable {
    var name: String
    var version: String
    /// The last change that it knows.
    var number: Int64
    /// What its machine's clock showed when it said so, in seconds since 1970.
    var clock: Double
    /// Whether a time source sets that clock; nil: an earlier build does not say.
    var isSynchronised: Bool?
    /// What time it was for its household; nil: an earlier build does not say.
    var time: Double?
    var publicKey: Data
    /// Whether its build hears and makes changes with a proof; nil: it is from before.
    var proves: Bool?
    /// It is none of the household's any more; its number stays taken.
    var hasLeft = false
}

/// A node, as this node sees it.
package struct Member: Codable, Hashable, Sendable {
    package var node: Int
    package var name: String
    package var version: String
    /// How many changes it lacks, as of what it said last.
    package var behind: Int64
    package var isHere: Bool
    /// Since when it is missing, as far as this node saw.
    package var missingSince: Date?
    /// When it was heard of last; nil: not since this machine's start.
    package var heard: Date?
    /// By how many seconds its clock is ahead of this node's; nil: unknown.
    package var clockAhead: Double?
    package var isThisOne: Bool
}

/// The clock of a node's machine.
package struct NodeClock: Sendable {
    let instant: @Sendable () -> Date
    /// Whether a time source sets it.
    let isSynchronised: @Sendable () -> Bool
    /// Hears what a synchronised clock of another node shows now.
    let heard: @Sendable (Date) -> Void

    package init(
        instant: @escaping @Sendable () -> Date,
        isSynchronised: @escaping @Sendable () -> Bool = { true },
        heard: @escaping @Sendable (Date) -> Void = { _ in }
    ) {
        self.instant = instant
        self.isSynchronised = isSynchronised
        self.heard = heard
    }
}
