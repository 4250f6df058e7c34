import DNS
import Foundation
import Logging
import NIOCore
import Policy
import Shield

extension House {
    /// Gives DNS and the front door the certificate that fits this machine's names and addresses now, where it is
    /// another than before.
    func presentItself(_ listening: Listening) {
        guard ports.dot != nil || ports.https != nil else { return }
        let subject = Self.subject(options.name, machine.hostName, listening.addresses)
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

    /// The own names, and the addresses that others can know it by.
    static func subject(_ name: String, _ host: String, _ addresses: [String]) -> LeafSubject {
        // The one-time names of the check are below the own one.
        var names = [name.lowercased(), "*.check.\(name.lowercased())"]
        for other in host.isEmpty ? [] : [host, "\(host).local"] where !names.contains(other.lowercased()) {
            names.append(other.lowercased())
        }
        let packed = addresses.filter { !$0.contains("%") }.compactMap { text -> [UInt8]? in
            guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
            // The offsets of `sin_addr` and `sin6_addr` are the same everywhere.
            switch address {
            case .v4(let v4): return withUnsafeBytes(of: v4.address) { Array($0[4..<8]) }
            case .v6(let v6): return withUnsafeBytes(of: v6.address) { Array($0[8..<24]) }
            case .unixDomainSocket: return nil
            }
        }
        return LeafSubject(names: names, addresses: packed.filter { $0.contains { $0 != 0 } })
    }
}
