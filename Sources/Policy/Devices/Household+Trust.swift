// The devices that can read the shield over HTTPS. This blocks and opens nothing: a device that wrongly claims to trust
// the household's authority gets another error than before, and no other device is affected.

extension Household {
    /// Notes that a device's browser read a page that only this authority vouches for.
    package mutating func noteTrust(_ id: DeviceID, in authority: String) throws(Refusal) {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { throw .unknownDevice }
        devices[index].trustedAuthority = authority
    }

    /// Notes that the certificate was taken off the device, or that another browser there does not know it.
    package mutating func forgetTrust(_ id: DeviceID) throws(Refusal) {
        guard let index = devices.firstIndex(where: { $0.id == id }) else { throw .unknownDevice }
        devices[index].trustedAuthority = nil
    }
}

extension Device {
    /// Whether the device trusts the authority with this fingerprint; nil means that there is no authority.
    package func trustsShield(of authority: String?) -> Bool {
        authority != nil && trustedAuthority == authority
    }
}
