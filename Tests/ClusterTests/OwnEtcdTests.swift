import Foundation
import Testing

@testable import Cluster

/// A household's own etcd, with Debian's program, on addresses of loopback.
@Suite(.serialized)
struct OwnEtcdTests {
    /// Addresses that no other test run uses.
    private static func addresses() -> [String] {
        let net = "127.\(Int.random(in: 20...250)).\(Int.random(in: 1...250))"
        return (11...14).map { "\(net).\($0)" }
    }

    private static func join(
        _ machine: Machine, _ file: ClusterFile, at address: String
    ) throws -> (file: ClusterFile, vote: OwnEtcd.Vote) {
        let own = try Nodes.join(Nodes.invite(file, knowing: nil), machine.store, as: machine.identity)
        let etcd = OwnEtcd(directory: machine.identity.directory)
        return (own, try etcd.join(own, at: address, now: Machine.now))
    }

    @Test("An odd number votes, a machine that goes takes its vote along, and the last erases everything")
    func votes() throws {
        let machines = try ["first", "second", "third"].map(Machine.init)
        let etcds = machines.map { OwnEtcd(directory: $0.identity.directory) }
        defer { for etcd in etcds { try? etcd.remove() } }
        let addresses = Self.addresses()
        let access = try etcds[0].begin(at: addresses[0], as: 0, now: Machine.now)
        let first = try Nodes.begin(machines[0].store, with: access, as: machines[0].identity)
        let second = try Self.join(machines[1], first, at: addresses[1])
        guard case .waits = second.vote else { return #expect(Bool(false), "two of two may not be away") }
        let client = try EtcdClient(access, patience: .long)
        defer { client.close() }
        #expect(try client.members().filter(\.votes).count == 1)
        let third = try Self.join(machines[2], first, at: addresses[2])
        guard case .votes(of: 3) = third.vote else { return #expect(Bool(false), "\(third.vote)") }
        #expect(try Nodes.status(first, knowing: nil).votes == 3)

        // Whoever joined knows where all members are, and can take another's vote away.
        try Nodes.takeOut("second", third.file, directory: machines[2].identity.directory, knowing: nil)
        #expect(try client.members().compactMap(\.name).sorted() == ["node-0", "node-2"])
        let changed = try #require(try ClusterFile.read(directory: machines[2].identity.directory))
        try Nodes.leave(
            changed, machines[2].store, directory: machines[2].identity.directory, isAlone: false)
        #expect(try client.members().compactMap(\.name) == ["node-0"])
        #expect(!etcds[2].isHere && etcds[0].isHere)
    }

    @Test("Without the password nothing is written, and without the certificate nothing is heard")
    func strangers() throws {
        let machine = try Machine("first")
        let etcd = OwnEtcd(directory: machine.identity.directory)
        defer { try? etcd.remove() }
        let access = try etcd.begin(at: Self.addresses()[0], as: 0, now: Machine.now)
        func written(_ change: (inout EtcdAccess) -> Void, _ key: String = "sleep-inducer/x") -> EtcdFault? {
            var access = access
            change(&access)
            do throws(EtcdFault) {
                let client = try EtcdClient(access)
                defer { client.close() }
                _ = try client.commit(EtcdTransaction(puts: [key: Data()]))
                return nil
            } catch { return error }
        }
        #expect(written { _ in } == nil)
        #expect(written({ _ in }, "elsewhere") == .denied)
        #expect(written { ($0.user, $0.password) = (nil, nil) } == .denied)
        #expect(written { $0.password = "guessed" } == .denied)
        #expect(written { ($0.certificate, $0.key) = (nil, nil) } == .denied)
        #expect(written { $0.authority = nil } == .untrusted)
        let mode = try FileManager.default.attributesOfItem(
            atPath: "\(machine.identity.directory)/\(EtcdSecrets.name)")[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("What cannot begin leaves nothing behind")
    func halfMade() throws {
        let machine = try Machine("first")
        let etcd = OwnEtcd(directory: machine.identity.directory)
        // An address of documents (RFC 5737): no machine has it.
        #expect(throws: ClusterFault.self) {
            _ = try etcd.begin(at: "192.0.2.1", as: 0, now: Machine.now)
        }
        #expect(!FileManager.default.fileExists(atPath: machine.identity.directory + "/etcd"))
    }
}
