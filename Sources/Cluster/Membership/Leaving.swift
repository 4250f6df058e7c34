import Foundation
package import Store

extension Nodes {
    /// Gives the household back as this machine's own. With the last node, all of it goes out of etcd.
    ///
    /// - Parameter isAlone: etcd is not asked, because it is gone, or does not know this machine any more.
    package static func leave(
        _ file: ClusterFile, _ store: HouseholdStore?, directory: String, isAlone: Bool
    ) throws {
        if !isAlone {
            let (place, vault) = (Place(of: file.household), Vault(file.keys))
            try within(file.etcd) { client in
                try say(that: file.node, hasLeft: client, place, vault)
                let roll = try members(client, place, vault)
                if roll.values.allSatisfy(\.hasLeft) { try client.deleteAll(under: place.all) }
            }
        }
        try store?.endSharing()
        ClusterFile.remove(directory: directory)
    }

    /// Takes another node out: the household gets a new key, which that node does not get, and everything in etcd is sealed
    /// anew with it.
    package static func takeOut(_ name: String, _ file: ClusterFile, directory: String) throws {
        let place = Place(of: file.household)
        try within(file.etcd) { client in
            var file = file
            let roll = try members(client, place, Vault(file.keys))
            guard let (node, _) = roll.first(where: { $0.value.name == name && !$0.value.hasLeft }),
                node != file.node
            else { throw ClusterFault.unknownNode(name) }
            try say(that: node, hasLeft: client, place, Vault(file.keys))
            file.keys.change()
            var puts: [String: Data] = [:]
            for (other, member) in roll where !member.hasLeft && other != node {
                let at = place.key(file.keys.newest, for: other)
                puts[at] = NodeKey.seal(file.keys, to: member.publicKey, for: at)
            }
            // What is sealed with the new key must be readable here whatever comes.
            try file.write(directory: directory)
            for part in portions(puts) { _ = try client.commit(EtcdTransaction(puts: part)) }
            try sealAnew(client, place, file.keys)
        }
    }

    /// Until nothing is left that the old key opens; what a node changes meanwhile stays as it made it.
    private static func sealAnew(_ client: EtcdClient, _ place: Place, _ keys: HouseholdKeys) throws {
        for _ in 0..<50 {
            let old = try client.all(under: place.all).values.filter { key, value in
                !key.hasPrefix(place.now + "key/") && !key.hasPrefix(place.now + "alive/")
                    && !key.hasPrefix(place.now + "invitation/")
                    && HouseholdKeys.number(of: value.bytes).map { $0 < keys.newest } ?? false
                    && keys.open(value.bytes, for: key) != nil
            }
            if old.isEmpty { return }
            let new = Dictionary(
                uniqueKeysWithValues: old.compactMap { key, value in
                    keys.open(value.bytes, for: key).map { (key, keys.seal($0, for: key)) }
                })
            for part in portions(new) {
                // Nil: something changed meanwhile, and the next round takes it.
                _ = try client.commit(
                    EtcdTransaction(
                        comparing: part.keys.reduce(into: [:]) { $0[$1] = old[$1]?.revision }, puts: part))
            }
        }
    }

    private static func say(
        that node: Int, hasLeft client: EtcdClient, _ place: Place, _ vault: Vault
    ) throws {
        let at = place.node(node)
        guard var member: MemberValue = vault.value(try client.value(of: at).values[at]?.bytes, at: at) else {
            throw ClusterFault.foreignKey
        }
        member.hasLeft = true
        _ = try client.commit(
            EtcdTransaction(puts: [at: try vault.seal(member, at: at)], deletions: [place.alive(node)]))
    }

    /// All nodes as etcd has them, for a command that runs without a server.
    ///
    /// - Parameter known: the last change that this machine knows; nil: none.
    package static func status(_ file: ClusterFile, knowing known: Head?) throws -> Status {
        let (place, vault) = (Place(of: file.household), Vault(file.keys))
        return try within(file.etcd) { client in
            let reading = try client.all(under: place.now)
            guard let found = reading.values[place.head] else { throw ClusterFault.noHousehold }
            guard let head = vault.head(found.bytes, of: place) else { throw ClusterFault.foreignKey }
            var roll: [Int: MemberValue] = [:]
            for (key, value) in reading.values {
                if let number = place.number(of: key, after: "node/") {
                    roll[number] = vault.value(value.bytes, at: key)
                }
            }
            let members = roll.filter { !$0.value.hasLeft }.sorted { $0.key < $1.key }.map { number, value in
                Member(
                    node: number, name: value.name, version: value.version,
                    behind: max(0, head.number - value.number),
                    isHere: reading.values[place.alive(number)] != nil, missingSince: nil, clockAhead: nil,
                    isThisOne: number == file.node)
            }
            let etcd = try client.member()
            return Status(
                members: members, change: head.number, etcd: etcd.version, etcdBytes: etcd.bytes,
                fault: fault(of: head, in: reading, place, vault, known)?.description)
        }
    }
}

extension Nodes {
    /// Why machines do not hear what etcd has; nil: they do.
    private static func fault(
        of head: HeadValue, in reading: EtcdReading, _ place: Place, _ vault: Vault, _ known: Head?
    ) -> ClusterFault? {
        guard head.number >= known?.number ?? 0 else { return .olderStore }
        guard let proof = head.proof else { return known?.chain == nil ? nil : .foreignRecords }
        var texts: [String: String] = [:]
        for (key, value) in reading.values {
            if let name = place.textName(of: key) { texts[name] = vault.text(value.bytes, at: key) ?? "" }
        }
        return Proof.digest(texts) == proof.texts ? nil : .foreignRecords
    }

    package struct Status: Codable, Sendable {
        package var members: [Member]
        /// The number of the last change.
        package var change: Int64
        /// Its version.
        package var etcd: String
        /// The size of its database.
        package var etcdBytes: Int64
        /// Why machines do not hear what it has; nil: they do.
        package var fault: String?
    }
}
