import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import Store

/// What a new machine is told of the household. Sealed by a secret that is in the code only, it is in etcd for ten minutes
/// or until it is used, and so long every server of the household hands it out.
package struct Invitation: Codable, Hashable, Sendable {
    package static let seconds: Int64 = 600
    /// Where a server hands it out, before its id.
    static let path = "/invitation/"

    let household: UUID
    package let etcd: EtcdAccess
    let keys: HouseholdKeys
    /// The least that the new machine must find; nil: a machine whose changes have no proof yet made the invitation.
    let head: Head?
    /// Nil: the first one.
    let reign: Reign?
    let secret: Data

    init(_ file: ClusterFile, head: Head?) {
        reign = file.reign
        self.head = head
        household = file.household
        etcd = file.etcd
        // A new machine needs no older ones.
        keys = file.keys.onlyNewest
        secret = InvitationCode.newSecret()
    }

    var id: String { Seal(secret).id }

    func sealed() throws -> Data { try Seal(secret).close(try JSONEncoder().encode(self)) }

    /// What the machine of a code hands out.
    package init(_ code: InvitationCode) throws(ClusterFault) {
        let seal = Seal(code.secret)
        let answers = PeerServers.answers(from: [code.server + Self.path + seal.id], within: .seconds(10))
        guard let answer = answers.first else { throw .silentServer(code.server) }
        guard answer.status != .notFound else { throw .invitationOver }
        guard answer.status != .serviceUnavailable else { throw .outOfTouch }
        guard let text = seal.open(answer.body), let read = try? JSONDecoder().decode(Self.self, from: text)
        else { throw .foreignServer(code.server) }
        self = read
    }

    /// What a code's secret seals, and under which name it stands.
    private struct Seal {
        let secret: Data

        init(_ secret: Data) { self.secret = secret }

        /// Tells nothing of the secret.
        var id: String {
            SHA256.hash(data: secret + Data("id".utf8)).prefix(12)
                .map { String(UInt16($0) | 256, radix: 16).dropFirst() }.joined()
        }

        private var key: SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), info: Data("invitation".utf8),
                outputByteCount: 32)
        }

        func close(_ text: Data) throws -> Data { try AES.GCM.seal(text, using: key).combined ?? Data() }

        func open(_ sealed: Data) -> Data? {
            (try? AES.GCM.SealedBox(combined: sealed)).flatMap { try? AES.GCM.open($0, using: key) }
        }
    }
}
