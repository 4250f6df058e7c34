import Foundation
package import Store

extension Nodes {
    /// Takes another node out: the household gets a new key, which that node does not get. From the change that says so,
    /// nothing counts that an older key sealed, except what that change proves.
    ///
    /// - Parameter known: the last change that this machine knows; nil: none.
    package static func takeOut(
        _ name: String, _ file: ClusterFile, directory: String, knowing known: Head?
    ) throws {
        let place = EtcdKeys(of: file.household)
        try within(file.etcd) { client in
            var file = file
            let vault = Vault(file.keys)
            if let node = try members(client, place, vault).first(where: {
                $0.value.name == name && !$0.value.hasLeft
            })?.key, node != file.node {
                file.etcd.endpoints = try endVote(of: node, file, directory: directory)
                client.use(file.etcd.endpoints)
            }
            let users = NewUsers(file, directory: directory)
            file.etcd = users?.access ?? file.etcd
            file.keys.change()
            // What is sealed with the new key must be readable here whatever comes.
            var isWritten = false
            for _ in 0..<20 {
                let reading = try client.all(under: place.now)
                let transaction = try change(taking: name, out: reading, file, place, vault, known)
                if !isWritten {
                    try users?.begin()
                    try file.write(directory: directory)
                    try users?.secrets.write(directory: directory)
                }
                isWritten = true
                guard try client.commit(transaction) == nil else {
                    try sealAnew(client, place, file.keys, directory: directory)
                    try users?.endOthers()
                    return
                }
            }
            throw ClusterFault.busy
        }
    }

    /// Users of the household's own etcd that whoever is taken out does not know. The earlier ones hold until all others
    /// were told of these.
    private struct NewUsers {
        let secrets: EtcdSecrets
        let access: EtcdAccess
        private let earlier: EtcdAccess
        private var root: EtcdAccess { secrets.root(access) }

        /// Nil: it is somebody else's etcd.
        init?(_ file: ClusterFile, directory: String) {
            guard file.etcd.isOwn == true, let known = EtcdSecrets.read(directory: directory) else {
                return nil
            }
            earlier = known.root(file.etcd)
            (secrets, access) = known.withNewUsers(file.etcd)
        }

        func begin() throws {
            try Nodes.within(earlier) { try $0.addUsers(root: root, household: access) }
        }

        func endOthers() throws { try Nodes.within(root) { try $0.endUsers(but: [root, access]) } }
    }

    /// One change of the household: the new key for everybody else, and a head that it seals.
    private static func change(
        taking name: String, out reading: EtcdReading, _ file: ClusterFile, _ place: EtcdKeys, _ vault: Vault,
        _ known: Head?
    ) throws -> EtcdTransaction {
        guard let found = reading.values[place.head] else { throw ClusterFault.noHousehold }
        guard let head = vault.head(found.bytes, of: place) else { throw ClusterFault.foreignKey }
        if let fault = fault(of: head, in: reading, place, vault, known) { throw fault }
        var roll = members(in: reading, place, vault)
        guard let node = roll.first(where: { $0.value.name == name && !$0.value.hasLeft })?.key,
            node != file.node
        else { throw ClusterFault.unknownNode(name) }
        roll[node]?.hasLeft = true
        var transaction = EtcdTransaction(comparing: [place.head: found.revision])
        transaction.deletions = [place.alive(node)]
        let new = Vault(file.keys)
        guard let own = NodeKey(raw: file.privateKey) else { throw ClusterFault.foreignKey }
        for (number, member) in roll where number == node || !member.hasLeft {
            guard number == node || member.proves == true else { throw ClusterFault.outdated(member.name) }
            let at = place.node(number)
            transaction.comparing[at] = reading.values[at]?.revision
            transaction.puts[at] = try new.seal(member, at: at)
            guard number != node else { continue }
            let (key, publicKey) = (
                place.key(file.keys.newest, for: number), file.publicKeys?[number] ?? member.publicKey
            )
            guard let sealed = own.seal(file.keys, to: publicKey, for: key) else {
                throw ClusterFault.outdated(member.name)
            }
            let access =
                file.etcd.isOwn == true
                ? own.seal(file.etcd, to: publicKey, for: KeyLetter.accessPlace(key)) : nil
            transaction.puts[key] = try JSONEncoder().encode(
                KeyLetter(from: file.node, sealed: sealed, access: access))
        }
        let before = Head(revision: 0, number: head.number, chain: head.proof?.chain)
        let texts = texts(in: reading, place, vault)
        let proof = Proof(of: texts, after: before, story: nil)
        let number = head.number + 1
        transaction.puts[place.head] = try new.seal(
            HeadValue(number: number, node: file.node, count: texts.count, proof: proof), of: place)
        transaction.puts[place.story(number)] = try new.seal(
            StoryValue(id: UUID(), node: file.node, texts: proof.texts), at: place.story(number))
        return transaction
    }

    /// Until nothing is left that an older key sealed, so that a new node, which has no older key, reads it.
    private static func sealAnew(
        _ client: EtcdClient, _ place: EtcdKeys, _ keys: HouseholdKeys, directory: String
    ) throws {
        try client.deleteAll(under: place.now + "invitation/")
        for _ in 0..<50 {
            let old = try client.all(under: place.all).values.filter { key, value in
                anew(key, value.bytes, place, keys, directory) != nil
            }
            if old.isEmpty { return }
            let new = old.reduce(into: [:]) { new, old in
                new[old.key] = anew(old.key, old.value.bytes, place, keys, directory)
            }
            for part in portions(new) {
                // Where something changed meanwhile, the next round takes it.
                _ = try client.commit(
                    EtcdTransaction(
                        comparing: part.keys.reduce(into: [:]) { $0[$1] = old[$1]?.revision }, puts: part))
            }
        }
    }

    /// The value of a record that an older key sealed, sealed anew; nil: it stays as it is.
    private static func anew(
        _ key: String, _ bytes: Data, _ place: EtcdKeys, _ keys: HouseholdKeys, _ directory: String
    ) -> Data? {
        // What a node was asked is told anew every few seconds, and a letter is sealed to one node.
        guard let number = HouseholdKeys.number(of: bytes), number < keys.newest,
            !["alive/", "invitation/", "key/"].contains(where: { key.hasPrefix(place.now + $0) }),
            !key.hasPrefix(place.all + "use/"), var opened = keys.open(bytes, for: key, isProven: true)
        else { return nil }
        if let name = place.rest(of: key, after: place.now + "file/") {
            // Whoever is out may have put another one there.
            guard let own = FileManager.default.contents(atPath: "\(directory)/\(name)") else { return nil }
            opened = own
        } else if place.number(of: key, after: "node/") != nil {
            guard var member = try? JSONDecoder().decode(MemberValue.self, from: opened) else { return nil }
            // Whoever belongs to the household got the new key already.
            member.hasLeft = true
            guard let left = try? JSONEncoder().encode(member) else { return nil }
            opened = left
        }
        return keys.seal(opened, for: key)
    }
}
