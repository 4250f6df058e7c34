import Crypto
package import Foundation
package import Policy

/// What a device calls itself in `/dns-query/<name>`: nobody can guess another's, and it says nothing of the household.
/// It is worked out from the household's secret, so that nothing more has to be stored.
package enum QueryName {
    /// 32 hex digits.
    package static func of(_ device: DeviceID, key: Data) -> String {
        let text = Data("dns-query device \(device.rawValue)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key))
        return code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
