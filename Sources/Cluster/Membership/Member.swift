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
    /// Where its pages are: `http://192.168.1.12`; nil: an earlier build does not say.
    var address: String?
    /// Whether its build hears and makes changes with a proof; nil: it is from before.
    var proves: Bool?
    /// It is none of the household's any more; its number stays taken.
    var hasLeft = false
}

/// What a node knows of another one also after a restart without etcd.
struct KnownNode: Codable, Hashable {
    var name: String
    var version: String
    /// Where its pages are.
    var address: String?
    var publicKey: Data
    var proves: Bool?

    init(_ member: MemberValue) {
        (name, version, address) = (member.name, member.version, member.address)
        (publicKey, proves) = (member.publicKey, member.proves)
    }

    /// As the node may have said it.
    var member: MemberValue {
        MemberValue(
            name: name, version: version, number: 0, clock: 0, publicKey: publicKey, address: address,
            proves: proves)
    }
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
