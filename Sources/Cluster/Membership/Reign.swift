import Foundation
import Store

/// A time in which one etcd puts the household's changes in their order. A person begins the next one, when the machine
/// with etcd is gone: another machine goes on from the last change that it knows, with an etcd of its own.
struct Reign: Codable, Hashable, Comparable {
    /// Counts from 0, the first one.
    var number: Int
    /// The node that began it. Of two that began at once, the higher one counts.
    var node: Int
    /// The last change before it; nil: it is the first one.
    var fork: Fork?

    /// From which change a reign goes on.
    struct Fork: Codable, Hashable {
        var number: Int64
        /// `Head.chain`.
        var chain: Data?
        /// The digest of all texts after that change.
        var texts: Data
    }

    static let first = Reign(number: 0, node: 0)

    static func < (one: Reign, other: Reign) -> Bool {
        (one.number, one.node) < (other.number, other.node)
    }
}

/// What tells a node of a reign: how its etcd is reached, and the household's keys. It is sealed to that node by another
/// one that it knows (`NodeKey`), so nobody else can make or read it.
struct ReignLetter: Codable {
    var reign: Reign
    var etcd: EtcdAccess
    var keys: HouseholdKeys

    /// For what it is sealed.
    static func place(_ household: UUID, _ node: Int) -> String {
        "reign/\(household.uuidString.lowercased())/\(node)"
    }
}

extension ClusterFile {
    var presentReign: Reign { reign ?? .first }

    /// The letter for another node; nil: there was one reign and one key only, or there is no such node.
    func letter(to number: Int) throws -> Data? {
        let reign = presentReign
        guard reign.fork != nil || keys.newest > 1, let publicKey = publicKeys?[number],
            others?[number] != nil,
            let own = NodeKey(raw: privateKey),
            let sealed = own.seal(
                ReignLetter(reign: reign, etcd: etcd, keys: keys), to: publicKey,
                for: ReignLetter.place(household, number))
        else { return nil }
        return try JSONEncoder().encode(KeyLetter(from: node, sealed: sealed))
    }

    /// The letter, if a node that this one knows sealed it; nil: it is none.
    func opened(_ bytes: Data) -> ReignLetter? {
        guard let letter = try? JSONDecoder().decode(KeyLetter.self, from: bytes),
            let sender = publicKeys?[letter.from], let own = NodeKey(raw: privateKey)
        else { return nil }
        return own.open(letter.sealed, from: sender, for: ReignLetter.place(household, node))
    }
}
