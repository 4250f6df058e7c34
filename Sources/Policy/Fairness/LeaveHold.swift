package import Foundation

/// Why a person cannot leave on a device at once, and until when. Leaving is as hard as the layer that it
/// leaves, so it is no way around a layer.
package struct LeaveHold: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// A flexible manual session: leaving takes as long as its cancel.
        case cancel
        /// A strict manual session: until its end.
        case strict
        /// A night, strict or flexible: until the morning.
        case night
        /// Anti-Rot blocks: until its next window opens, or the day is over.
        case windows
        /// A limit is reached: until the next day of limits begins.
        case limits
        /// Loosening waits, so leaving waits as long.
        case loosening
        /// The person has left often this week.
        case often
    }

    /// How often a person can leave on a device within a week without a wait.
    package static let mostInAWeek = 2
    /// The length of that wait, in seconds.
    package static let wait: TimeInterval = 86_400

    package let reason: Reason
    package let until: Date
}

extension Household {
    /// What holds a departure at an instant, in the order of the layers; nothing on a medical or safety device.
    ///
    /// Times that begin with the press count from `askedAt`, or from `now` if the clock went back since.
    package func leaveHolds(_ device: Device, askedAt: Date, at now: Date) -> [LeaveHold] {
        guard !device.kind.isExempt, let owner = device.person.flatMap({ self[person: $0] }) else {
            return []
        }
        let asked = min(askedAt, now)
        var holds = owner.leaveHolds(askedAt: asked, at: now, in: zone)
        if (try? guardWaiting(device: device)) == nil {
            holds.append(
                LeaveHold(reason: .loosening, until: asked + TimeInterval(owner.looseningDelay) * 3_600))
        }
        if device.leaves.count(where: { $0.person == owner.id && $0.isRecent(at: now) })
            >= LeaveHold.mostInAWeek
        {
            holds.append(LeaveHold(reason: .often, until: asked + LeaveHold.wait))
        }
        return holds.filter { $0.until > now }
    }
}

extension Person {
    /// What each layer that blocks now demands. A layer that is open now demands nothing.
    fileprivate func leaveHolds(askedAt: Date, at now: Date, in zone: CivilZone) -> [LeaveHold] {
        var holds: [LeaveHold] = []
        if let session = runningSession(at: now) {
            switch (session.night, session.strictness) {
            case (_?, _): holds.append(LeaveHold(reason: .night, until: session.endsAt))
            case (nil, .strict): holds.append(LeaveHold(reason: .strict, until: session.endsAt))
            case (nil, .flexible):
                let cancelled = askedAt + SleepSession.cancelDelay
                holds.append(LeaveHold(reason: .cancel, until: min(cancelled, session.due)))
            }
            // The night takes over when the manual session ends.
            if session.night == nil, let night = nights(in: zone)?.night(containing: now) {
                holds.append(LeaveHold(reason: .night, until: night.end))
            }
        }
        // Neither "I'm Eating" nor "Unlock for 1 min" may let a person out for good.
        let midnight = zone.dayStart(zone.date(of: now).adding(days: 1))
        for set in antiRot.sets where set.isConfigured {
            guard case .closed(let opens) = allowedWindows(of: set, in: zone).state(at: now) else { continue }
            holds.append(LeaveHold(reason: .windows, until: min(opens ?? midnight, midnight)))
        }
        if !limits.reached.isEmpty {
            holds.append(LeaveHold(reason: .limits, until: limits.day(at: now, in: zone).end))
        }
        return holds
    }
}
