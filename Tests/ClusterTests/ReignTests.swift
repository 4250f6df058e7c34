import Foundation
import Policy
import Synchronization
import Testing

@testable import Cluster
@testable import Store

/// The machine with etcd is gone: another leads, and the first one joins it when it is back.
@Suite(.serialized)
struct ReignTests {
    private static func file(_ node: Int, household: UUID, _ key: NodeKey) -> ClusterFile {
        ClusterFile(
            household: household, etcd: EtcdAccess(endpoints: ["https://192.168.1.1\(node):2379"]),
            node: node,
            nodeName: "n\(node)", keys: HouseholdKeys(), privateKey: key.raw)
    }

    @Test("Only a node of the household can tell of a reign, and only to the node that it is for")
    func sealed() throws {
        let household = UUID()
        let keys = [NodeKey(), NodeKey(), NodeKey()]
        var files = keys.enumerated().map { Self.file($0, household: household, $1) }
        for index in files.indices {
            let roll = files.enumerated().map { ($0, $1.own("1", "http://192.168.1.1\($0)")) }
            files[index].note(Dictionary(uniqueKeysWithValues: roll))
        }
        #expect(try files[1].letter(to: 0) == nil, "There was one reign, and one key.")
        files[1].keys.change()
        let key = try #require(try files[1].letter(to: 0))
        #expect(files[0].opened(key)?.reign == .first && files[0].opened(key)?.keys.newest == 2)
        files[1].reign = Reign(
            number: 1, node: 1, fork: .init(number: 7, chain: Data([1]), texts: Data([2])))
        let letter = try #require(try files[1].letter(to: 0))
        let opened = try #require(files[0].opened(letter))
        #expect(opened.reign == files[1].reign && opened.etcd == files[1].etcd)
        #expect(opened.keys == files[1].keys)
        #expect(files[2].opened(letter) == nil, "It is for another node.")
        #expect(try files[1].letter(to: 9) == nil && files[1].letter(to: 1) == nil)
        // A stranger who knows the household's number and all public keys.
        var stranger = Self.file(1, household: household, NodeKey())
        (stranger.reign, stranger.publicKeys, stranger.others) = (
            Reign(number: 9, node: 1, fork: files[1].presentReign.fork), files[1].publicKeys, files[1].others
        )
        let forged = try #require(try stranger.letter(to: 0))
        #expect(files[0].opened(forged) == nil)
        // The same bytes, as from another sender, for another household, or cut.
        var other = files[0]
        other.publicKeys?[1] = files[0].publicKeys?[2]
        #expect(other.opened(letter) == nil)
        var foreign = Self.file(0, household: UUID(), keys[0])
        foreign.publicKeys = files[0].publicKeys
        #expect(foreign.opened(letter) == nil && files[0].opened(letter.dropLast()) == nil)
        // Who left is told nothing, and believed nothing.
        var left = files[0].own("1", nil)
        left.hasLeft = true
        files[1].note([0: left])
        #expect(try files[1].letter(to: 0) == nil)
        var gone = files[1].own("1", nil)
        gone.hasLeft = true
        files[0].note([1: gone])
        #expect(files[0].opened(letter) == nil)
    }

    @Test("A later reign counts, and of two at once that of the higher node")
    func order() {
        let (one, other) = (Reign(number: 1, node: 1), Reign(number: 1, node: 2))
        #expect(Reign.first < one && one < other && other < Reign(number: 2, node: 0))
        #expect(!(one < one))
    }

    @Test("What two machines took apart is one state afterwards, in the order of one etcd")
    func merged() throws {
        let (old, client) = try EtcdClientTests.started()
        defer { client.close() }
        let (first, second) = (try Machine("first"), try Machine("second"))
        try first.store.change { $0.offersHelp = true }
        let file = try Nodes.begin(
            first.store, with: EtcdAccess(endpoints: [old.endpoint]), as: first.identity)
        _ = try Nodes.join(Nodes.invite(file, knowing: nil), second.store, as: second.identity)
        for machine in [first, second] {
            try machine.start()
            try eventually { machine.isLinked }
        }
        try eventually { second.replica?.members.count == 2 && first.replica?.members.count == 2 }
        // The second one hears nothing any more. The first one's changes count, because its etcd lives.
        second.stop()
        try first.store.change { $0.people[0].name = "Ada" }
        first.stop()
        let (new, other) = try EtcdClientTests.started()
        defer { withExtendedLifetime((old, new)) { other.close() } }
        old.send(SIGSTOP)
        try second.start()
        try eventually { second.replica?.machines.mayLead == true }
        #expect(throws: (any Error).self) { try second.store.change { $0.offersHelp = false } }
        try second.replica?.lead { EtcdAccess(endpoints: [new.endpoint]) }
        #expect(second.isLinked)
        try second.store.change { $0.offersHelp = false }
        old.send(SIGCONT)
        // Nobody tells the first one; it goes on with its own etcd, and takes changes.
        try first.start()
        try eventually { first.isLinked }
        try first.store.change { $0.clock = .twelve }
        let letter = try #require(second.replica?.letter(to: 0))
        let opened = try #require(first.replica?.file.withLock { $0.opened(letter) })
        try first.replica?.hearing.sync { try first.replica?.follow(opened) }
        for machine in [first, second] {
            try eventually {
                let household = machine.store.household
                return household.people[0].name == "Ada" && !household.offersHelp
                    && household.clock == .twelve
            }
        }
        try eventually { first.store.head == second.store.head && !first.store.isUntold }
        // It stays so after restarts, and the earlier reign counts no more.
        for machine in [first, second] { machine.stop() }
        for machine in [first, second] { try machine.start() }
        try eventually { first.isLinked && second.isLinked }
        #expect(first.store.household.people[0].name == "Ada" && !first.store.household.offersHelp)
        #expect(try ClusterFile.read(directory: first.identity.directory)?.reign?.number == 1)
    }
}
