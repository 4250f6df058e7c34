import Foundation

extension AntiRot {
    /// Clears an override that is over and keeps when it was used; a clock that went back does not lengthen
    /// it.
    mutating func settle(at now: Date) { override.overrideExpiresAt = override.end(at: now) }
}
