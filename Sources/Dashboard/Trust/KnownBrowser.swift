import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// Marks a browser that logged in once: a random id and its seal, in a cookie that outlives the login. It opens
/// nothing; its browser waits only for its own wrong passcodes.
enum KnownBrowser {
    static func name(isSecure: Bool) -> String { isSecure ? "__Host-si-known" : "si-known" }

    /// The id, if the seal is this household's.
    static func id(in request: Request, isSecure: Bool, key: Data) -> String? {
        BrowserCookie.values(of: name(isSecure: isSecure), in: request)
            .first { value in
                let parts = value.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                return parts.count == 2 && constantTimeEqual(parts[1], seal(parts[0], key))
            }
            .flatMap { $0.split(separator: ".").first.map(String.init) }
    }

    static func mark(isSecure: Bool, key: Data, on response: inout Response) {
        let id = SymmetricKey(size: .bits128).withUnsafeBytes { hex($0) }
        BrowserCookie.set(
            name(isSecure: isSecure), "\(id).\(seal(id, key))", isSecure: isSecure, on: &response)
    }

    private static func seal(_ id: String, _ key: Data) -> String {
        hex(
            HMAC<SHA256>.authenticationCode(
                for: Data("known browser \(id)".utf8), using: SymmetricKey(data: key)))
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
