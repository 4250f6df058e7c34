import Foundation
import QR

/// A QR code that opens `/setup/device` on a phone, and the same address for typing.
package struct PhoneCode: Sendable {
    /// An SVG element; its style sets the width.
    let svg: String
    /// The address without the key. A phone that opens it must log in to say whose it is.
    let address: String
    /// Whether only this machine reaches the address.
    let isLoopback: Bool

    /// Nil if the address is too long for a code.
    /// - Parameters:
    ///   - server: the dashboard's address that a phone reaches, for example `http://192.168.1.5`.
    ///   - key: an invitation's key; without it, the phone asks for the passcode before it can say whose it is.
    package init?(server: String, key: String? = nil) {
        address = server + "/setup/device"
        let query = key.map { "?key=\($0)" } ?? ""
        guard let code = try? QRCode(address + query) else { return nil }
        svg = code.svg(label: "QR code for \(address)")
        isLoopback = URL(string: server)?.host().flatMap(NetworkAddress.canonical)?.isLoopback ?? false
    }
}
