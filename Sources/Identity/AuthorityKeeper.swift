package import Foundation
package import Logging
import Synchronization

/// Keeps the household's authority in `DIR/tls/ca.pem`. There is none until somebody asks for it on a page.
package final class AuthorityKeeper: Sendable {
    private static let file = "ca.pem"

    private let folder: IdentityFolder
    private let held: Mutex<HouseholdAuthority?>
    private let listener = Mutex<(@Sendable () -> Void)?>(nil)

    private let logger: Logger

    package init(directory: String, logger: Logger) {
        folder = IdentityFolder(directory: directory)
        self.logger = logger
        held = Mutex(nil)
        readAgain()
    }

    /// Another machine of the household may have put its file there.
    package func readAgain() {
        let text = folder.text(of: Self.file)
        let stored = text.flatMap { try? HouseholdAuthority(pem: $0) }
        if text != nil, stored == nil { logger.error("The household's certificate cannot be read") }
        held.withLock { $0 = stored }
        listener.withLock { $0 }?()
    }

    package var current: HouseholdAuthority? { held.withLock { $0 } }

    /// The authority, if it can issue leaves at `now`.
    package func valid(at now: Date) -> HouseholdAuthority? {
        current.flatMap { $0.isValid(at: now) ? $0 : nil }
    }

    /// Calls `listener` after each that is made.
    package func whenMade(_ listener: @escaping @Sendable () -> Void) {
        self.listener.withLock { $0 = listener }
    }

    /// Makes one in place of whatever there was; devices that trusted that one do not trust this.
    /// - Throws: where it cannot be kept, and then nothing changed.
    @discardableResult
    package func make(_ scope: AuthorityScope, at now: Date) throws -> HouseholdAuthority {
        let made = try held.withLock { held in
            let made = try HouseholdAuthority(scope: scope, at: now)
            try folder.write(try made.pem, to: Self.file)
            held = made
            return made
        }
        listener.withLock { $0 }?()
        return made
    }
}
