package import Foundation
package import Logging
import Synchronization

/// Keeps the server's own certificate in `DIR/tls/own.pem` (0600, key and certificate): made when it is first needed,
/// again when the names, the addresses or the authority are others, and before its end. The key stays.
package final class LeafKeeper: Sendable {
    private static let file = "own.pem"

    private let folder: IdentityFolder
    private let authorities: AuthorityKeeper
    private let logger: Logger
    private let current = Mutex<OwnLeaf?>(nil)

    /// - Parameter directory: the household's data.
    package init(directory: String, authorities: AuthorityKeeper, logger: Logger) {
        folder = IdentityFolder(directory: directory)
        self.authorities = authorities
        self.logger = logger
    }

    /// The certificate for a subject when it is another than the last time; nil when that one still serves.
    package func renewed(for subject: LeafSubject, at now: Date) -> OwnLeaf? {
        let authority = authority(for: subject, at: now)
        return current.withLock { current in
            if let current, current.serves(subject, by: authority, at: now) { return nil }
            let known = current ?? stored
            if let known, current == nil, known.serves(subject, by: authority, at: now) {
                current = known
                return known
            }
            do {
                let leaf =
                    try known.map { try OwnLeaf(key: $0.key, for: subject, by: authority, at: now) }
                    ?? OwnLeaf(for: subject, by: authority, at: now)
                current = leaf
                keep(leaf)
                return leaf
            } catch {
                logger.error("A certificate could not be made", metadata: ["error": "\(error)"])
                return nil
            }
        }
    }

    /// Nil also where it was made for another name: it would have nothing of this one to vouch for.
    private func authority(for subject: LeafSubject, at now: Date) -> HouseholdAuthority? {
        guard let authority = authorities.valid(at: now), let name = subject.names.first else { return nil }
        return authority.scope.permits(name) ? authority : nil
    }

    private var stored: OwnLeaf? { folder.text(of: Self.file).flatMap { try? OwnLeaf(pem: $0) } }

    /// Where that fails, the next start makes another.
    private func keep(_ leaf: OwnLeaf) {
        do {
            try folder.write(try leaf.pem, to: Self.file)
        } catch {
            logger.error("The certificate could not be kept", metadata: ["error": "\(error)"])
        }
    }
}
