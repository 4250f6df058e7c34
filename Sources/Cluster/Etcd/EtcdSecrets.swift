import Crypto
import Foundation
import Identity

/// What a machine must know to have a part in the household's own etcd, or to change its members and users:
/// `DIR/etcd/secrets.json` (0600). All machines of the household have it, and any can take over.
package struct EtcdSecrets: Codable, Hashable, Sendable {
    package static let name = "\(OwnEtcd.folderName)/secrets.json"

    /// The key and certificate of the authority of all certificates here, PEM.
    var authority: String
    /// Of the user who may do everything; nil: root.
    var rootName: String?
    var rootPassword: String

    init(at now: Date) throws {
        authority = try ProgramAuthority(at: now).pem
        rootPassword = Self.password()
    }

    /// Nil: the household has no etcd of its own.
    package static func read(directory: String) -> EtcdSecrets? {
        FileManager.default.contents(atPath: "\(directory)/\(name)").flatMap {
            try? JSONDecoder().decode(EtcdSecrets.self, from: $0)
        }
    }

    func write(directory: String) throws {
        try PrivateFile.write(try JSONEncoder().encode(self), to: Self.name, in: directory)
    }

    /// How all machines reach an etcd that is to begin.
    func access(at endpoint: String, now: Date) throws -> EtcdAccess {
        let authority = try ProgramAuthority(pem: authority)
        let own = try authority.issue(for: nil, at: now)
        var access = EtcdAccess(endpoints: [endpoint])
        access.isOwn = true
        (access.user, access.password) = ("sleep-inducer", Self.password())
        access.authority = try authority.certificate
        (access.certificate, access.key) = (own.certificate, own.key)
        return access
    }

    /// The same for the user who may do everything.
    func root(_ access: EtcdAccess) -> EtcdAccess {
        var root = access
        (root.user, root.password) = (rootName ?? "root", rootPassword)
        return root
    }

    /// Other users, whom nobody knows yet. They have new names, so the earlier ones hold until all machines know these.
    func withNewUsers(_ access: EtcdAccess) -> (secrets: EtcdSecrets, access: EtcdAccess) {
        var (secrets, access) = (self, access)
        let name = UUID().uuidString.lowercased()
        (secrets.rootName, secrets.rootPassword) = ("root-\(name)", Self.password())
        (access.user, access.password) = ("sleep-inducer-\(name)", Self.password())
        return (secrets, access)
    }

    static func password() -> String {
        SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString()
    }
}
