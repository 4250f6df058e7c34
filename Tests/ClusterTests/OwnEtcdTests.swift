import Foundation
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
        try etcd.remove()
        #expect(
            !FileManager.default.fileExists(atPath: "\(machine.identity.directory)/\(OwnEtcd.folderName)"))
        #expect(written { _ in } == .unreachable)
    }
}
