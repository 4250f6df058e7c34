import DNS
import Enforcement
import Foundation
import Identity
import LocalNetwork
import Logging
import Policy
import Shield
import Sockets

extension House {
    /// Gives DNS and the front door the certificate that fits this machine's names and addresses now, where it is
    /// another than before.
    func presentItself(_ listening: Listening) {
        guard ports.dot != nil || ports.https != nil else { return }
        let subject = LeafSubject(
            name: options.name, hostName: machine.hostName, addresses: listening.addresses)
        guard let leaf = leaves.renewed(for: subject, at: clock.now()) else { return }
        do {
            resolver.present(try leaf.context(protocols: ["dot"]))
            door.present(try leaf.context(protocols: ["h2", "http/1.1"]))
        } catch {
            logger.error("The certificate cannot be used", metadata: ["error": "\(error)"])
        }
    }

    /// Where this machine can be asked by now.
    var listeningNow: Listening {
        Listening(machine.addresses(), options)
    }

    /// What a connection for a blocked page is served with, by name (lower case) and the device's address. Nil where the
    /// device was not seen to trust the household's authority, or that may not speak for the name: then an alert is
    /// the truth.
    static func shieldLeaves(_ mint: LeafMint, _ latest: LatestSnapshot, _ clock: WallClock)
        -> FrontDoor.Mint
    {
        { address, name in
            let now = clock.now()
            guard let device = latest.device(at: address),
                device.trustsShield(of: mint.fingerprint(at: now))
            else { return nil }
            return mint.context(for: name, at: now)
        }
    }
}
