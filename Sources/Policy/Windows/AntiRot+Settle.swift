import Foundation

extension AntiRot {
    /// Clears an override that is over and keeps when it was used (AR-042); a clock that went back does not lengthen
    /// it.
    mutating func settle(at now: Date) { override.overrideExpiresAt = override.end(at: now) }
}
