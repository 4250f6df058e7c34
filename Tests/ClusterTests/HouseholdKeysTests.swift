import Foundation
import Testing

@testable import Cluster

struct HouseholdKeysTests {
    @Test
    func whatIsSealedOpensForItsPlaceOnly() {
        let keys = HouseholdKeys()
        let sealed = keys.seal(Data("strict".utf8), for: "document/session/2")
        #expect(keys.open(sealed, for: "document/session/2") == Data("strict".utf8))
        #expect(keys.open(sealed, for: "document/session/3") == nil)
        #expect(HouseholdKeys().open(sealed, for: "document/session/2") == nil)
        for length in [0, 3, 4, 20, sealed.count - 1] {
            #expect(keys.open(sealed.prefix(length), for: "document/session/2") == nil)
        }
        #expect(sealed.range(of: Data("strict".utf8)) == nil)
    }

    @Test
    func aChangedKeyReachesThoseItIsSealedToAndNobodyElse() throws {
        var keys = HouseholdKeys()
        let thrownOut = keys
        keys.change()
        let (node, other) = (NodeKey(), NodeKey())
        let maker = NodeKey()
        let sent = try #require(maker.seal(keys, to: node.publicKey, for: "key/2/1"))
        #expect(node.open(sent, from: maker.publicKey, for: "key/2/1", HouseholdKeys.self) == keys)
        #expect(other.open(sent, from: maker.publicKey, for: "key/2/1", HouseholdKeys.self) == nil)
        #expect(node.open(sent, from: maker.publicKey, for: "key/2/2", HouseholdKeys.self) == nil)
        // Who knows a node's public key alone makes no key for it.
        let forged = try #require(other.seal(keys, to: node.publicKey, for: "key/2/1"))
        #expect(node.open(forged, from: maker.publicKey, for: "key/2/1", HouseholdKeys.self) == nil)
        let sealed = keys.seal(Data("x".utf8), for: "a")
        #expect(thrownOut.open(sealed, for: "a") == nil)
        #expect(HouseholdKeys.number(of: sealed) == 2)
        var late = thrownOut
        late.take(keys)
        #expect(late.open(sealed, for: "a") == Data("x".utf8))
        // What the older key sealed counts only where something else proves it.
        let old = thrownOut.seal(Data("y".utf8), for: "a")
        #expect(late.open(old, for: "a") == nil)
        #expect(late.open(old, for: "a", isProven: true) == Data("y".utf8))
    }

    @Test
    func theFileIsForThisUserOnly() throws {
        let directory = NSTemporaryDirectory() + "cluster-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        #expect(try ClusterFile.read(directory: directory) == nil)
        let file = ClusterFile(
            household: UUID(), etcd: EtcdAccess(endpoints: ["http://127.0.0.1:2379"]), node: 3,
            nodeName: "pi", keys: HouseholdKeys(), privateKey: NodeKey().raw, publicKeys: [1: Data([7])])
        try file.write(directory: directory)
        #expect(try ClusterFile.read(directory: directory) == file)
        let path = "\(directory)/\(ClusterFile.name)"
        let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        try Data("{".utf8).write(to: URL(filePath: path))
        #expect(throws: ClusterFault.self) { _ = try ClusterFile.read(directory: directory) }
    }
}
