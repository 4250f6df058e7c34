import Foundation
import Policy
import Synchronization
import Testing

@testable import Cluster
@testable import Store

/// A machine that was taken out knows the old key, all records, and how to write into etcd. Nobody believes it.
@Suite(.serialized)
struct TakingOutTests {
    /// What the machine that is out can do: it seals with the old key.
    private struct Outsider {
        let client: EtcdClient
        let place: EtcdKeys
        let vault: Vault
        let own: NodeKey
        let number: Int

        /// A change that adds a login, as a node of the household makes one.
        func forge(after head: Head, _ texts: [String: String]) throws {
            let (name, login) = ("access/login/" + String(repeating: "ab", count: 32), #"{"csrf":"x"}"#)
            let proof = Proof(of: texts.merging([name: login]) { $1 }, after: head, story: nil)
            let value = HeadValue(
                number: head.number + 1, node: number, count: texts.count + 1, proof: proof)
            let story = place.story(head.number + 1)
            _ = try client.commit(
                EtcdTransaction(puts: [
                    place.text(name): vault.seal(login, at: place.text(name)),
                    story: try vault.seal(
                        StoryValue(id: UUID(), node: number, texts: proof.texts), at: story),
                    place.head: try vault.seal(value, of: place),
                ]))
        }

        /// A key that the outsider made, as a letter to another node.
        func write(to node: Int, _ publicKey: Data, number: UInt32) throws {
            var keys = HouseholdKeys()
            while keys.newest < number { keys.change() }
            let key = place.key(number, for: node)
            let sealed = try #require(own.seal(keys, to: publicKey, for: key))
            _ = try client.commit(
                EtcdTransaction(puts: [
                    key: try JSONEncoder().encode(KeyLetter(from: self.number, sealed: sealed))
                ]))
        }
    }

    @Test("Nothing that the old key sealed counts, before and after restarts")
    func out() throws {
        let (etcd, client) = try EtcdClientTests.started()
        defer { withExtendedLifetime(etcd) { client.close() } }
        let (first, second, third) = (try Machine("first"), try Machine("second"), try Machine("third"))
        let access = EtcdAccess(endpoints: [etcd.endpoint])
        let file = try Nodes.begin(first.store, with: access, as: first.identity)
        for machine in [second, third] {
            _ = try Nodes.join(Nodes.invite(file, knowing: nil), machine.store, as: machine.identity)
        }
        let all = [first, second, third]
        for machine in all {
            try machine.start()
            try eventually { machine.isLinked }
        }
        try eventually { all.allSatisfy { $0.replica?.members.count == 3 } }
        third.stop()
        let old = try #require(try ClusterFile.read(directory: third.identity.directory))
        let outsider = Outsider(
            client: client, place: EtcdKeys(of: old.household), vault: Vault(old.keys),
            own: try #require(NodeKey(raw: old.privateKey)), number: old.node)
        try Nodes.takeOut(
            "third", #require(try ClusterFile.read(directory: first.identity.directory)),
            directory: first.identity.directory, knowing: first.store.head)
        let rest = [first, second]
        try eventually { rest.allSatisfy { $0.replica?.vault.current.newest == 2 && $0.isLinked } }
        try second.store.change { $0.people[0].name = "Without" }
        try eventually { first.store.household.people[0].name == "Without" }
        // A key of its own, to each.
        for machine in rest {
            let key = try #require(NodeKey(raw: machine.replica!.file.withLock { $0.privateKey }))
            try outsider.write(to: machine.replica!.node, key.publicKey, number: 3)
        }
        let agreed = try #require(second.store.agreed)
        let head = try #require(try client.value(of: outsider.place.head).values[outsider.place.head])
        try outsider.forge(after: agreed.head, agreed.texts)
        for _ in 0..<2 {
            for machine in rest {
                try eventually { machine.store.cutOffReason?.contains("key does not open") == true }
                #expect(machine.store.loginCount == 0)
                #expect(machine.replica?.vault.current.newest == 2)
                machine.stop()
                try machine.start()
            }
        }
        // Who put the forged head there can be locked out; then it goes on.
        _ = try client.commit(EtcdTransaction(puts: [outsider.place.head: head.bytes]))
        try eventually { rest.allSatisfy(\.isLinked) }
        try first.store.change { $0.people[0].name = "Again" }
        try eventually { second.store.household.people[0].name == "Again" }
        #expect(rest.allSatisfy { $0.store.loginCount == 0 })
        // The forged login is taken away within a second or two; nothing is left that the old key opens.
        try eventually {
            try client.all(under: outsider.place.now + "access/login/").values.isEmpty
        }
        for (key, value) in try client.all(under: outsider.place.now + "document/").values {
            #expect(outsider.vault.current.open(value.bytes, for: key, isProven: true) == nil)
        }
        let late = try Machine("late")
        _ = try Nodes.join(
            Nodes.invite(
                #require(try ClusterFile.read(directory: first.identity.directory)), knowing: first.store.head
            ),
            late.store, as: late.identity)
        #expect(late.store.household.people[0].name == "Again")
    }
}

extension HouseholdStore {
    /// How many browsers are signed in.
    fileprivate var loginCount: Int { access.withLock { $0.logins.count } }
}
