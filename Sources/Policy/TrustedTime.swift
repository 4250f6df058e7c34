package import Foundation

/// The instant by which the past may be forgotten: a clock that is ahead for a while costs nobody's history, and to
/// forget late costs nothing.
///
/// What uptime explains is believed at once, and so is a clock that was set back. A jump forward is believed when it has
/// held for a day of uptime, or for ten minutes on a clock that the kernel called synchronised all the while. Seconds
/// throughout.
package struct TrustedTime: Sendable {
    static let patience: TimeInterval = 86_400
    static let patienceIfSynchronised: TimeInterval = 600
    /// A clock that is set by less goes on being the same claim.
    private static let trifle: TimeInterval = 60

    /// Never later than what was noted last; nil: nothing was ever noted, so there is nothing to forget.
    package private(set) var instant: Date?
    /// When uptime was 0, as it is believed, since 1970.
    private var start: TimeInterval?
    private var claim: Claim?
    /// The uptime since which the kernel calls the clock synchronised; nil: it does not.
    private var synchronisedSince: TimeInterval?

    /// When uptime was 0 by a clock that is not believed yet, and at which uptime it said so first.
    private struct Claim {
        let start: TimeInterval
        let since: TimeInterval
    }

    /// - Parameter instant: what was believed before this start.
    package init(_ instant: Date? = nil) { self.instant = instant }

    /// Takes note of what the clock says at an uptime; call it at least once a minute.
    package mutating func note(_ now: Date, uptime: TimeInterval, isSynchronised: Bool) {
        synchronisedSince = isSynchronised ? synchronisedSince ?? uptime : nil
        let said = now.timeIntervalSince1970 - uptime
        let known = start ?? (instant ?? now).timeIntervalSince1970 - uptime
        let isBelieved = said <= known || hasHeld(said, at: uptime)
        if isBelieved { claim = nil }
        let begun = isBelieved ? said : known
        start = begun
        instant = Date(timeIntervalSince1970: begun + uptime)
    }

    private mutating func hasHeld(_ said: TimeInterval, at uptime: TimeInterval) -> Bool {
        let same = claim.flatMap { abs($0.start - said) <= Self.trifle ? $0 : nil }
        let held = same ?? Claim(start: said, since: uptime)
        claim = held
        if uptime - held.since >= Self.patience { return true }
        guard let synchronisedSince else { return false }
        return uptime - max(held.since, synchronisedSince) >= Self.patienceIfSynchronised
    }
}
