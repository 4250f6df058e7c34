package import Foundation

/// What a node says of itself, every minute or so and soon after changes.
struct MemberValue: Codable, Hashable {
    var name: String
    var version: String
    /// The last change that it knows.
    var number: Int64
    /// What its clock showed when it said so, in seconds since 1970.
    var clock: Double
    var publicKey: Data
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
