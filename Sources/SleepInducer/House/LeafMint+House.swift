import Enforcement
import Identity
import Policy
import Shield

extension LeafMint {
    /// The TLS context for a blocked page, by name (lower case) and the device's address. Nil if the device was not
    /// seen to trust the household's authority, or the authority may not issue for the name: the client then gets an
    /// alert.
    func shieldLeaves(latest: LatestSnapshot, clock: WallClock) -> FrontDoor.Mint {
        { [self] address, name in
            let now = clock.now()
            guard let device = latest.device(at: address),
                device.trustsShield(of: fingerprint(at: now))
            else { return nil }
            return context(for: name, at: now)
        }
    }
}
