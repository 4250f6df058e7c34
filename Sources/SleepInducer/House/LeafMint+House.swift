import Enforcement
import Identity
import Policy
import Shield

extension LeafMint {
    /// What a connection for a blocked page is served with, by name (lower case) and the device's address. Nil where the
    /// device was not seen to trust the household's authority, or that may not speak for the name: then an alert is
    /// the truth.
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
