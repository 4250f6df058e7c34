import Crypto
package import Foundation
package import NIOSSL
import SwiftASN1
import Synchronization
import X509

/// Certificates for names that are not this server's own, so that a device that trusts the household's authority can
/// read the shield over HTTPS. Safe from any thread; a name costs a signature once, then a look into a table.
package final class LeafMint: Sendable {
    /// Apple refuses more than 825 days; these are made again when asked for.
    static let lifetime: TimeInterval = 30 * 86_400
    /// It is made anew so long before its end.
    static let renewal: TimeInterval = 7 * 86_400

    private struct Leaf {
        var context: NIOSSLContext
        /// Seconds since 1970 within which it is handed out.
        var times: Range<Date>
        var lastUse: UInt64
    }

    private struct Shelf {
        /// The authority that signed them.
        var fingerprint = ""
        var leaves: [String: Leaf] = [:]
        var uses: UInt64 = 0
    }

    private let authorities: AuthorityKeeper
    private let capacity: Int
    private let key = P256.Signing.PrivateKey()
    private let shelf = Mutex(Shelf())

    /// - Parameter capacity: how many names are kept; a new name replaces the least recently used.
    package init(_ authorities: AuthorityKeeper, capacity: Int = 200) {
        self.authorities = authorities
        self.capacity = capacity
    }

    /// What a connection for a name (lower case, no trailing dot) is served with; nil where there is no authority or
    /// the name is outside its scope.
    package func context(for name: String, at now: Date) -> NIOSSLContext? {
        guard let authority = authorities.valid(at: now), !name.hasPrefix("*"), authority.scope.permits(name)
        else { return nil }
        return shelf.withLock { shelf in
            if shelf.fingerprint != authority.fingerprint {
                shelf = Shelf(fingerprint: authority.fingerprint)
            }
            shelf.uses += 1
            if let known = shelf.leaves[name], known.times.contains(now) {
                shelf.leaves[name]?.lastUse = shelf.uses
                return known.context
            }
            guard let context = try? context(for: name, by: authority, at: now) else { return nil }
            let start = now.addingTimeInterval(-KeyAndCertificate.tolerance)
            let end = min(now.addingTimeInterval(Self.lifetime), authority.certificate.notValidAfter)
            let last = max(end.addingTimeInterval(-Self.renewal), now)
            shelf.leaves[name] = Leaf(context: context, times: start..<last, lastUse: shelf.uses)
            if shelf.leaves.count > capacity,
                let oldest = shelf.leaves.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                shelf.leaves[oldest.key] = nil
            }
            return context
        }
    }

    /// The authority's whose leaves these are; nil where there is none at `now`.
    package func fingerprint(at now: Date) -> String? { authorities.valid(at: now)?.fingerprint }

    /// How many names are kept.
    var count: Int { shelf.withLock { $0.leaves.count } }

    /// The chain for one name; the authority itself is on the device, so the leaf is the whole chain.
    func leaf(for name: String, by authority: HouseholdAuthority, at now: Date) throws -> Certificate {
        try authority.leaf(
            for: LeafSubject(names: [name], addresses: []), called: "Sleep Inducer shield", key: key,
            from: now.addingTimeInterval(-KeyAndCertificate.tolerance),
            to: now.addingTimeInterval(Self.lifetime))
    }

    private func context(for name: String, by authority: HouseholdAuthority, at now: Date) throws
        -> NIOSSLContext
    {
        var serializer = DER.Serializer()
        try serializer.serialize(try leaf(for: name, by: authority, at: now))
        return try .serving(serializer.serializedBytes, key.derRepresentation, protocols: ["http/1.1"])
    }
}
