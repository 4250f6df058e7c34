import Foundation
import Policy
import Store
import Testing

@testable import Cluster

/// A household's own etcd, with Debian's program, on addresses of loopback.
@Suite(.serialized)
struct OwnEtcdTests {
    /// An address that no other test run uses. Members of several machines need a network: etcd compares the address from
    /// which a member speaks with its certificate.
    private static var address: String {
        "127.\(Int.random(in: 20...250)).\(Int.random(in: 1...250)).11"
    }

    @Test("Without the password nothing is written, and without the certificate nothing is heard")
    func strangers() throws {
        let machine = try Machine("first")
        let etcd = OwnEtcd(directory: machine.identity.directory)
        defer { try? etcd.remove() }
        let access = try etcd.begin(at: Self.address, as: 0, now: Machine.now)
        func written(_ change: (inout EtcdAccess) -> Void, _ key: String = "sleep-inducer/x") -> EtcdFault? {
            var access = access
            // As somebody who runs it sees it.
            access.isOwn = nil
            change(&access)
            do throws(EtcdFault) {
                let client = try EtcdClient(access, patience: .long)
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
        try etcd.remove()
        #expect(
            !FileManager.default.fileExists(atPath: "\(machine.identity.directory)/\(OwnEtcd.folderName)"))
        #expect(written { _ in } == .unreachable)
    }

    @Test("A full one gets room again by itself, and is said to be full until then")
    func full() throws {
        let machine = try Machine("first")
        let etcd = OwnEtcd(directory: machine.identity.directory, megabytes: 4)
        defer { try? etcd.remove() }
        let access = try etcd.begin(at: Self.address, as: 0, now: Machine.now)
        machine.file = try Nodes.begin(machine.store, with: access, as: machine.identity)
        try machine.start()
        defer { machine.stop() }
        try eventually { machine.isLinked }
        for _ in 0..<2 {
            let client = try EtcdClient(access, patience: .long)
            defer { client.close() }
            #expect(throws: EtcdFault.ownIsFull) {
                for _ in 0..<100 {
                    _ = try client.commit(
                        EtcdTransaction(puts: ["sleep-inducer/fill": Data(count: 100_000)]))
                }
            }
            let refused = #expect(throws: StoreError.self) {
                try machine.store.change { $0.people[0].name = "Refused" }
            }
            #expect("\(try #require(refused))".contains("etcd is full. The machines make room"))
            let refusal = try #require(machine.replica?.machines.refusal)
            #expect(
                refusal.reason == "etcd is full" && refusal.advice.contains("make room in it by themselves"))
            try eventually { machine.replica?.machines.refusal == nil }
            try machine.store.change { $0.people[0].name = "Taken" }
            #expect(try client.member().bytes < 1 << 20, "The disk has its room back.")
        }
        #expect(machine.store.household.people[0].name == "Taken")
    }

    @Test("Who was taken out cannot write any more, whatever it knew, and the others go on")
    func users() throws {
        let (first, second, third) = (try Machine("first"), try Machine("second"), try Machine("third"))
        let etcd = OwnEtcd(directory: first.identity.directory)
        defer { try? etcd.remove() }
        let access = try etcd.begin(at: Self.address, as: 0, now: Machine.now)
        let file = try Nodes.begin(first.store, with: access, as: first.identity)
        for machine in [second, third] {
            _ = try Nodes.join(Nodes.invite(file, knowing: nil), machine.store, as: machine.identity)
        }
        let all = [first, second, third]
        defer { for machine in all { machine.stop() } }
        for machine in all {
            try machine.start()
            try eventually { machine.isLinked }
        }
        func secrets(_ machine: Machine) throws -> EtcdSecrets {
            try #require(EtcdSecrets.read(directory: machine.identity.directory))
        }
        func take(_ name: String) throws {
            let file = try #require(try ClusterFile.read(directory: first.identity.directory))
            try Nodes.takeOut(
                name, file, directory: first.identity.directory, knowing: first.store.head)
        }
        let old = try secrets(third)
        for access in [access, old.root(access)] { try Self.write(access) }
        try take("third")
        for access in [access, old.root(access)] {
            #expect(throws: EtcdFault.ownRefuses) { try Self.write(access) }
        }
        for _ in 0..<2 {
            try eventually { first.isLinked && second.isLinked }
            try second.store.change { $0.people[0].name += "+" }
            try eventually { first.store.household.people[0].name == second.store.household.people[0].name }
            #expect(try secrets(second) == secrets(first) && secrets(first) != old)
            second.stop()
            try second.start()
        }
        try eventually { third.store.cutOffReason?.contains("does not know this machine any more") == true }
        #expect(third.replica?.machines.mayLead == false)
        // The next one, by the names that the first change gave.
        let known = try #require(try ClusterFile.read(directory: second.identity.directory)).etcd
        try Self.write(known)
        try take("second")
        #expect(throws: EtcdFault.ownRefuses) { try Self.write(known) }
        try eventually { first.isLinked }
        try first.store.change { $0.people[0].name = "Alone" }
    }

    private static func write(_ access: EtcdAccess) throws {
        let client = try EtcdClient(access, patience: .long)
        defer { client.close() }
        _ = try client.commit(EtcdTransaction(puts: ["sleep-inducer/x": Data()]))
    }
}
