package import Foundation
import Glibc
import Store

/// `DIR/cluster.json` (0600): to which household this machine belongs, as which node, and how it reaches the others. A
/// machine without it serves by itself.
package struct ClusterFile: Codable, Hashable, Sendable {
    package static let name = HouseholdStore.clusterFileName

    /// Tells several households in one etcd apart.
    package var household: UUID
    package var etcd: EtcdAccess
    /// This node's number, from 0; nobody else ever had it.
    package var node: Int
    /// The machine's name, for people.
    package var nodeName: String
    package var keys: HouseholdKeys
    /// This node's own key.
    package var privateKey: Data
    /// The public key of each other node, as it was seen first, by the nodes' numbers; nil: none was seen yet. Of those
    /// that left there is none.
    package var publicKeys: [Int: Data]?
    /// Who leads; nil: who did at first.
    var reign: Reign?
    /// The other nodes, without those that left.
    var others: [Int: KnownNode]?

    /// Notes who is on the roll.
    mutating func note(_ roll: [Int: MemberValue]) {
        var known = publicKeys ?? [:]
        for (number, member) in roll where number != node {
            known[number] = member.hasLeft ? nil : known[number] ?? member.publicKey
        }
        publicKeys = known
        var others = self.others ?? [:]
        for (number, member) in roll where number != node {
            others[number] = member.hasLeft ? nil : KnownNode(member)
        }
        self.others = others
    }

    /// This node, as it says it of itself at first.
    func own(_ version: String, _ address: String?) -> MemberValue {
        MemberValue(
            name: nodeName, version: version, number: 0, clock: 0,
            publicKey: NodeKey(raw: privateKey)?.publicKey ?? Data(), address: address, proves: true)
    }

    /// Nil: this machine serves by itself.
    package static func read(directory: String) throws(ClusterFault) -> ClusterFile? {
        let path = "\(directory)/\(name)"
        guard let data = FileManager.default.contents(atPath: path) else {
            if access(path, F_OK) == 0 { throw .unreadable(path: path) }
            return nil
        }
        guard let file = try? JSONDecoder().decode(ClusterFile.self, from: data), !file.etcd.endpoints.isEmpty
        else { throw .unreadable(path: path) }
        return file
    }

    package func write(directory: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try PrivateFile.write(try encoder.encode(self) + Data("\n".utf8), to: Self.name, in: directory)
    }

    package static func remove(directory: String) { unlink("\(directory)/\(name)") }
}
