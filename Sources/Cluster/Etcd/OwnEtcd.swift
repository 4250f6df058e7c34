import Directory
import Foundation
import Glibc
import Identity
import LocalNetwork
import Store

/// The household's own etcd, as far as it is on this machine: Debian's program, with what it needs in `DIR/etcd`.
///
/// It serves on the machine's home address only, to those who have a certificate of the household's authority, and a
/// password. It runs by a unit of ours, or without systemd as a program in the background.
package struct OwnEtcd: Sendable {
    package static let folderName = HouseholdStore.etcdFolderName
    package static let unit = "sleep-inducer-etcd"
    package static let ports = (clients: 2379, peers: 2380)
    /// It keeps room for its log from the start.
    package static let megabytesNeeded: UInt64 = 200

    /// The household's data, as a full path.
    let directory: String
    /// The largest that its database may be.
    private let megabytes: Int

    package init(directory: String, megabytes: Int = 512) {
        self.directory = URL(fileURLWithPath: directory).standardizedFileURL.path
        self.megabytes = megabytes
    }

    var folder: String { "\(directory)/\(Self.folderName)" }
    var configuration: String { "\(folder)/etcd.yml" }

    /// Whether this machine has a part in it.
    package var isHere: Bool { access(configuration, F_OK) == 0 }

    /// The address at which other machines reach this one: on the side of the router, IPv4 rather than IPv6. Nil: it is
    /// in no home network.
    package static func homeAddress() -> String? {
        let own = (LocalAddresses.current() ?? []).filter { $0.isOfHome && $0.reach == .home }
        return (own.first { !$0.isIPv6 } ?? own.first)?.address
    }

    static func url(_ address: String, _ port: Int) -> String {
        "https://\(address.contains(":") ? "[\(address)]" : address):\(port)"
    }

    /// Why an etcd cannot be begun here; nil: nothing is known that prevents it.
    package func obstacle(at address: String) -> String? {
        guard InstalledProgram.path(of: "etcd") != nil else {
            return "etcd is not installed. Install it, with: sudo apt-get install etcd-server"
        }
        for port in [Self.ports.clients, Self.ports.peers] {
            let holders = PortHolder.current(port: port, transport: .tcp)
            guard let holder = holders.first(where: { $0.isInTheWay(of: [address]) }) else { continue }
            let program = holder.program ?? "another program"
            return
                "Port \(port) of \(address) is in use by \(program). If this is an etcd that the household should "
                + "use, name it with cluster start --etcd; otherwise stop it."
        }
        if let space = DiskSpace.at(directory), space.free < Self.megabytesNeeded << 20 {
            return
                "etcd needs \(Self.megabytesNeeded) MB in \(directory), and \(space.free >> 20) MB are free."
        }
        return nil
    }

    /// What etcd calls the member on a node.
    static func name(of node: Int) -> String { "node-\(node)" }

    /// Writes what etcd needs to begin on this machine.
    ///
    /// - Parameter members: those that there are, this one among them; nil: it is the first.
    func prepare(
        as node: Int, at address: String, _ secrets: EtcdSecrets, among members: [EtcdMember]?, now: Date
    ) throws {
        guard let bytes = IPAddress(address)?.bytes else {
            throw ClusterFault.other("\(address) is no address.")
        }
        let authority = try ProgramAuthority(pem: secrets.authority)
        let own = try authority.issue(for: bytes, at: now)
        let files = [
            "ca.pem": try authority.certificate, "machine.pem": own.certificate, "machine-key.pem": own.key,
            "etcd.yml": text(as: node, at: address, among: members),
        ]
        try secrets.write(directory: directory)
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            try PrivateFile.write(Data(text.utf8), to: "\(Self.folderName)/\(name)", in: directory)
        }
    }

    /// JSON is YAML.
    private func text(as node: Int, at address: String, among members: [EtcdMember]?) -> String {
        let (name, peer) = (Self.name(of: node), Self.url(address, Self.ports.peers))
        let client = Self.url(address, Self.ports.clients)
        let others = (members ?? []).flatMap { member in
            (member.peerURLs ?? []).filter { $0 != peer }.map { "\(member.name ?? member.id)=\($0)" }
        }
        let tls: [String: Any] = [
            "cert-file": "\(folder)/machine.pem", "key-file": "\(folder)/machine-key.pem",
            "trusted-ca-file": "\(folder)/ca.pem", "client-cert-auth": true,
        ]
        let settings: [String: Any] = [
            "name": name, "data-dir": "\(folder)/data",
            "listen-client-urls": client, "advertise-client-urls": client,
            "listen-peer-urls": peer, "initial-advertise-peer-urls": peer,
            "initial-cluster": (["\(name)=\(peer)"] + others).joined(separator: ","),
            "initial-cluster-state": members == nil ? "new" : "existing",
            "client-transport-security": tls, "peer-transport-security": tls,
            // A file of settings switches off the gateway that a command line has.
            "enable-grpc-gateway": true,
            "logger": "zap", "log-level": "warn", "log-outputs": ["stderr"],
            "auto-compaction-mode": "periodic", "auto-compaction-retention": "1h",
            "quota-backend-bytes": megabytes << 20, "snapshot-count": 10_000,
        ]
        let data = try? JSONSerialization.data(
            withJSONObject: settings, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data ?? Data(), as: UTF8.self) + "\n"
    }
}
