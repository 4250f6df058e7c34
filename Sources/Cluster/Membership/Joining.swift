package import Foundation
package import Logging
package import Store

/// What a machine is told about itself when it begins to belong to a household on several machines.
package struct NodeIdentity: Sendable {
    /// The machine's name; where another has it already, a number is added.
    package var name: String
    /// This build's.
    package var version: String
    /// The folder of the household's data.
    package var directory: String
    package var now: @Sendable () -> Date
    package var log: Logger

    package init(
        name: String, version: String, directory: String, log: Logger, now: @escaping @Sendable () -> Date
    ) {
        self.name = name
        self.version = version
        self.directory = directory
        self.log = log
        self.now = now
    }

    fileprivate func member(_ name: String, _ key: NodeKey) -> MemberValue {
        MemberValue(
            name: name, version: version, number: 0, clock: now().timeIntervalSince1970,
            publicKey: key.publicKey, proves: true)
    }
}

/// Begins, widens and ends the household on several machines. Everything here is for a machine whose server is stopped,
/// but for `invite`.
package enum Nodes {}

extension Nodes {
    /// Operations of one transaction, and its bytes: etcd takes 128 and 1.5 MB, unless it is told otherwise.
    private static let portion = (count: 100, bytes: 200_000)

    /// Puts the household of `store` into etcd and makes this machine its first node.
    package static func begin(
        _ store: HouseholdStore, with access: EtcdAccess, as identity: NodeIdentity
    ) throws -> ClusterFile {
        let key = NodeKey()
        let file = ClusterFile(
            household: UUID(), etcd: access, node: 0, nodeName: identity.name, keys: HouseholdKeys(),
            privateKey: key.raw)
        let (place, vault) = (EtcdKeys(of: file.household), Vault(file.keys))
        try store.share(by: NoAgreement(now: identity.now), as: 0)
        let texts = try store.textsToShare()
        var puts = Dictionary(
            uniqueKeysWithValues: texts.map {
                (place.text($0.key), vault.seal($0.value, at: place.text($0.key)))
            })
        let stories = try store.storiesToShare()
        for (index, story) in stories.enumerated() {
            let at = place.story(Int64(index) + 1)
            puts[at] = try vault.seal(StoryValue(id: UUID(), node: 0, story: story), at: at)
        }
        for name in Replica.files {
            let bytes = FileManager.default.contents(atPath: "\(identity.directory)/\(name)")
            puts[place.file(name)] = bytes.map { vault.current.seal($0, for: place.file(name)) }
        }
        puts[place.node(0)] = try vault.seal(identity.member(identity.name, key), at: place.node(0))
        let proof = Proof(of: texts, after: Head(revision: 0, number: Int64(stories.count)), story: nil)
        let head = HeadValue(number: Int64(stories.count) + 1, node: 0, count: texts.count, proof: proof)
        try within(access) { client in
            for part in portions(puts) { _ = try client.commit(EtcdTransaction(puts: part)) }
            // Nobody takes it for a household before this.
            let revision = try client.commit(
                EtcdTransaction(
                    comparing: [place.head: 0], puts: [place.head: try vault.seal(head, of: place)]))
            try store.hear(
                SharedNews(
                    head: Head(revision: revision ?? 0, number: head.number, chain: proof.chain),
                    isWhole: true, puts: texts, proof: proof))
        }
        try file.write(directory: identity.directory)
        return file
    }

    /// Lets one new machine in, for some time. It is told the last change, so that nobody can show it an earlier state.
    ///
    /// - Parameter known: the last change that this machine knows; nil: none.
    package static func invite(
        _ file: ClusterFile, knowing known: Head?, seconds: Int64 = Invitation.seconds
    ) throws -> Invitation {
        let place = EtcdKeys(of: file.household)
        return try within(file.etcd) { client in
            guard let found = try client.value(of: place.head).values[place.head] else {
                throw ClusterFault.noHousehold
            }
            guard let head = Vault(file.keys).head(found.bytes, of: place) else {
                throw ClusterFault.foreignKey
            }
            guard head.number >= known?.number ?? 0 else { throw ClusterFault.olderStore }
            var file = file
            if file.etcd.isOwn == true { file.etcd.endpoints = try client.members().endpoints }
            let invitation = Invitation(
                file,
                head: head.proof.map { Head(revision: 0, number: head.number, chain: $0.chain) })
            let lease = try client.lease(seconds: seconds)
            _ = try client.commit(
                EtcdTransaction(
                    puts: [place.invitation(invitation.id): try invitation.sealed()], lease: lease))
            return invitation
        }
    }

    /// Says why an invitation cannot be used from here, before anything is done for it.
    package static func test(_ invitation: Invitation) throws {
        let at = EtcdKeys(of: invitation.household).invitation(invitation.id)
        try within(invitation.etcd) { client in
            guard try client.value(of: at).values[at] != nil else { throw ClusterFault.invitationOver }
        }
    }

    /// Uses an invitation up, and brings the household to this machine: `store` has nothing in it yet.
    package static func join(
        _ invitation: Invitation, _ store: HouseholdStore, as identity: NodeIdentity
    ) throws -> ClusterFile {
        let place = EtcdKeys(of: invitation.household)
        let key = NodeKey()
        let file = try within(invitation.etcd) { client in
            let at = place.invitation(invitation.id)
            guard let found = try client.value(of: at).values[at] else { throw ClusterFault.invitationOver }
            let vault = Vault(invitation.keys)
            for _ in 0..<20 {
                let roll = try members(client, place, vault)
                let node = (roll.keys.max() ?? -1) + 1
                guard node < 1_000 else { throw ClusterFault.tooManyNodes }
                let name = free(identity.name, roll.values.filter { !$0.hasLeft }.map(\.name))
                let member = try vault.seal(identity.member(name, key), at: place.node(node))
                let done = try client.commit(
                    EtcdTransaction(
                        comparing: [at: found.revision, place.node(node): 0],
                        puts: [place.node(node): member], deletions: [at]))
                guard done == nil else {
                    var file = ClusterFile(
                        household: invitation.household, etcd: invitation.etcd, node: node, nodeName: name,
                        keys: invitation.keys, privateKey: key.raw)
                    file.reign = invitation.reign
                    file.note(roll)
                    return file
                }
                // Another machine took the number, or the invitation.
                guard try client.value(of: at).values[at] != nil else { throw ClusterFault.invitationOver }
            }
            throw ClusterFault.invitationOver
        }
        try file.write(directory: identity.directory)
        do { try bringHome(file, store, as: identity, since: invitation.head) } catch {
            ClusterFile.remove(directory: identity.directory)
            throw error
        }
        return file
    }

    /// The first start must not need etcd.
    private static func bringHome(
        _ file: ClusterFile, _ store: HouseholdStore, as identity: NodeIdentity, since base: Head?
    ) throws {
        let replica = try Replica(
            file, directory: identity.directory, store: store, version: identity.version, log: identity.log,
            patience: .long, now: identity.now)
        defer { replica.close() }
        try store.share(by: NoAgreement(now: identity.now), as: file.node)
        try replica.readOnce(since: base)
    }

    static func portions(_ puts: [String: Data]) -> [[String: Data]] {
        var (parts, bytes) = ([[String: Data]](), 0)
        for (key, value) in puts.sorted(by: { $0.key < $1.key }) {
            if parts.isEmpty || parts[parts.count - 1].count >= portion.count || bytes >= portion.bytes {
                parts.append([:])
                bytes = 0
            }
            parts[parts.count - 1][key] = value
            bytes += value.count
        }
        return parts
    }

    private static func free(_ name: String, _ taken: [String]) -> String {
        if !taken.contains(name) { return name }
        return (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name
    }

    static func members(
        _ client: EtcdClient, _ place: EtcdKeys, _ vault: Vault
    ) throws(EtcdFault) -> [Int: MemberValue] {
        members(in: try client.all(under: place.now + "node/"), place, vault)
    }

    /// Says in the household's words what etcd did not do.
    static func within<Value>(_ access: EtcdAccess, _ body: (EtcdClient) throws -> Value) throws -> Value {
        do {
            let client = try EtcdClient(access, patience: .long)
            defer { client.close() }
            return try body(client)
        } catch let fault as EtcdFault { throw ClusterFault.etcd(fault) }
    }
}

/// For a store that only takes in what the others have.
struct NoAgreement: Agreement {
    let now: @Sendable () -> Date

    func propose(_ proposal: Proposal) throws -> Head {
        throw StoreError.cutOff(reason: "its server does not run")
    }

    func lead(over node: Int) -> TimeInterval? { nil }
}
