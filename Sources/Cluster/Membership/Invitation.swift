import Crypto
import Foundation
import Store

/// What a new machine needs to know: where etcd is, and a secret that opens the household's key, once, for ten minutes.
package struct Invitation: Codable, Hashable, Sendable {
    package static let seconds: Int64 = 600
    private static let start = "sleep-inducer-"

    let household: UUID
    package let etcd: EtcdAccess
    /// 16 random bytes.
    let secret: Data
    /// The least that the new machine must find; nil: a machine whose changes have no proof yet made the invitation.
    let head: Head?
    /// Nil: the first one.
    let reign: Reign?

    init(_ file: ClusterFile, head: Head?) {
        reign = file.reign
        self.head = head
        household = file.household
        etcd = file.etcd
        secret = SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
    }

    /// One line without spaces: this beginning, then base64url.
    package var code: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = (try? encoder.encode(self))?.base64EncodedString() ?? ""
        return Self.start
            + text.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    package init(code: String) throws(ClusterFault) {
        let text = code.filter { !$0.isWhitespace }
        guard text.hasPrefix(Self.start) else { throw .unknownCode }
        var base64 = text.dropFirst(Self.start.count).replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        guard let data = Data(base64Encoded: base64),
            let read = try? JSONDecoder().decode(Invitation.self, from: data), read.secret.count == 16,
            !read.etcd.endpoints.isEmpty
        else { throw .unknownCode }
        self = read
    }

    /// Names the record in etcd and tells nothing of the secret.
    var id: String {
        Data(SHA256.hash(data: secret + Data("id".utf8))).prefix(12).map { String($0, radix: 16) }.joined()
    }

    private var key: SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Data("invitation".utf8), outputByteCount: 32)
    }

    func seal(_ keys: HouseholdKeys) throws -> Data {
        try AES.GCM.seal(try JSONEncoder().encode(keys), using: key).combined ?? Data()
    }

    func open(_ sealed: Data) -> HouseholdKeys? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let text = try? AES.GCM.open(box, using: key)
        else { return nil }
        return try? JSONDecoder().decode(HouseholdKeys.self, from: text)
    }
}
