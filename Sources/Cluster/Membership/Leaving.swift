import Foundation
package import Policy
package import Store

extension Nodes {
    /// Gives the household back as this machine's own. With the last node, all of it goes out of etcd. What this machine
    /// has of the household's own etcd ends too.
    ///
    /// - Parameter isAlone: etcd is not asked, because it is gone, or does not know this machine any more.
    package static func leave(
        _ file: ClusterFile, _ store: HouseholdStore?, directory: String, isAlone: Bool
    ) throws {
        if !isAlone {
            let (place, vault) = (EtcdKeys(of: file.household), Vault(file.keys))
            try within(file.etcd) { client in
                let isLast = try members(client, place, vault).allSatisfy { $0 == file.node || $1.hasLeft }
                if !isLast { client.use(try endVote(of: file.node, file, directory: directory)) }
                try say(that: file.node, hasLeft: client, place, vault)
                if isLast { try client.deleteAll(under: place.all) }
            }
        }
        try OwnEtcd(directory: directory).remove()
        try store?.endSharing()
        ClusterFile.remove(directory: directory)
    }

    /// Ends a node's part in the household's own etcd, if it has one.
    ///
    /// - Returns: the endpoints that are left.
    @discardableResult
    static func endVote(of node: Int, _ file: ClusterFile, directory: String) throws -> [String] {
        guard file.etcd.isOwn == true, let secrets = EtcdSecrets.read(directory: directory) else {
            return file.etcd.endpoints
        }
        let etcd = OwnEtcd(directory: directory)
        return try within(secrets.root(file.etcd)) { client in
            try etcd.takeOut(node, client)
            return try client.members().endpoints
        }
    }

    private static func say(
        that node: Int, hasLeft client: EtcdClient, _ place: EtcdKeys, _ vault: Vault
    ) throws {
        let at = place.node(node)
        guard var member: MemberValue = vault.value(try client.value(of: at).values[at]?.bytes, at: at) else {
            throw ClusterFault.foreignKey
        }
        member.hasLeft = true
        _ = try client.commit(
            EtcdTransaction(puts: [at: try vault.seal(member, at: at)], deletions: [place.alive(node)]))
    }

    static func members(in reading: EtcdReading, _ place: EtcdKeys, _ vault: Vault) -> [Int: MemberValue] {
        var roll: [Int: MemberValue] = [:]
        for (key, value) in reading.values {
            if let number = place.number(of: key, after: "node/") {
                roll[number] = vault.value(value.bytes, at: key)
            }
        }
        return roll
    }

    /// All nodes as etcd has them, for a command that runs without a server.
    ///
    /// - Parameter known: the last change that this machine knows; nil: none.
    package static func status(_ file: ClusterFile, knowing known: Head?) throws -> Status {
        let (place, vault) = (EtcdKeys(of: file.household), Vault(file.keys))
        return try within(file.etcd) { client in
            let reading = try client.all(under: place.now)
            guard let found = reading.values[place.head] else { throw ClusterFault.noHousehold }
            guard let head = vault.head(found.bytes, of: place) else { throw ClusterFault.foreignKey }
            let places = try client.places()
            let members = members(in: reading, place, vault).filter { !$0.value.hasLeft }.sorted {
                $0.key < $1.key
            }.map { number, value in
                HouseMachine(
                    node: number, name: value.name, version: value.version,
                    role: places.role(of: value, number: number),
                    behind: max(0, head.number - value.number),
                    isHere: reading.values[place.alive(number)] != nil, isThisOne: number == file.node)
            }
            let etcd = try client.member()
            let votes = try file.etcd.isOwn == true ? client.members().filter(\.votes).count : nil
            return Status(
                members: members, change: head.number, etcd: etcd.version, etcdBytes: etcd.bytes,
                votes: votes,
                fault: fault(of: head, in: reading, place, vault, known)?.description)
        }
    }
}

extension Nodes {
    /// Why machines do not hear what etcd has; nil: they do.
    static func fault(
        of head: HeadValue, in reading: EtcdReading, _ place: EtcdKeys, _ vault: Vault, _ known: Head?
    ) -> ClusterFault? {
        guard head.number >= known?.number ?? 0 else { return .olderStore }
        guard let proof = head.proof else { return known?.chain == nil ? nil : .foreignRecords }
        return Proof.digest(texts(in: reading, place, vault)) == proof.texts ? nil : .foreignRecords
    }

    /// All texts, by their names; one that cannot be opened is empty.
    static func texts(in reading: EtcdReading, _ place: EtcdKeys, _ vault: Vault) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in reading.values {
            if let name = place.textName(of: key) { texts[name] = vault.text(value.bytes, at: key) ?? "" }
        }
        return texts
    }

    package struct Status: Codable, Sendable {
        package var members: [HouseMachine]
        /// The number of the last change.
        package var change: Int64
        /// Its version.
        package var etcd: String
        /// The size of its database.
        package var etcdBytes: Int64
        /// How many machines vote in the household's own etcd; nil: it is somebody else's.
        package var votes: Int?
        /// Why machines do not hear what it has; nil: they do.
        package var fault: String?
    }
}
