import Foundation

extension AntiRot {
    /// Clears an override that is over and keeps when it was used (AR-042).
    mutating func settle(at now: Date) {
        if override.overrideExpiresAt != nil, override.end(at: now) == nil {
            override.overrideExpiresAt = nil
        }
    }
}
