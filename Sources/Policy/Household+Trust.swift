// Which devices can read the shield over HTTPS. Nothing is blocked or opened by it: a device that says so and does not
// trust the household's authority sees another error than before, and no other device is concerned.

extension Household {
    /// The browser on a device read a page that only this authority vouches for.
    package mutating func noteTrust(_ id: DeviceID, in authority: String) throws(Refusal) {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { throw .unknownDevice }
        devices[index].trustedAuthority = authority
    }

    /// Its owner took the certificate off it, or another browser there does not know it.
    package mutating func forgetTrust(_ id: DeviceID) throws(Refusal) {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { throw .unknownDevice }
        devices[index].trustedAuthority = nil
    }
}

extension Device {
    /// Whether it trusts the authority with this fingerprint; nil: there is none.
    package func trustsShield(of authority: String?) -> Bool {
        authority != nil && trustedAuthority == authority
    }
}
