package import Foundation
import Pages
package import Policy

/// The second step of leaving: what it means, and when it takes effect. POST `/my-rules/leave` with `which` of `this`
/// or `all`.
package struct LeavePage: Page {
    package static let template = "leave"

    package let title = "Leave"
    let device: String
    /// The person's devices, if there are several and this device may leave for all of them.
    let devices: String?
    /// The longest wait; nil if leaving takes effect at once.
    let held: Held?
    let offersHelp: Bool
    /// Whether other people in the household are told.
    let tellsOthers: Bool
    let error: String?

    package init(
        _ asking: Device, person: Person, household: Household, error: String? = nil, now: Date
    ) {
        let clock = ClockFace(zone: household.foundationZone)
        let all = household.devices.filter { $0.person == person.id }
        device = asking.name
        devices = asking.isConfirmed && all.count > 1 ? all.map(\.name).inSentence : nil
        held = household.leaveHolds(asking, askedAt: now, at: now).max { $0.until < $1.until }
            .map { Held($0, clock, now) }
        offersHelp = household.offersHelp
        tellsOthers = household.members.count > 1
        self.error = error
    }

    /// Why leaving has to wait.
    struct Held {
        /// `for 30 seconds`, `until tomorrow at 07:00`, while the device stays.
        let until: String
        let reason: String

        init(_ hold: LeaveHold, _ clock: ClockFace, _ now: Date) {
            until = clock.stays(hold.until, from: now)
            reason = hold.reason.words
        }
    }
}

extension ClockFace {
    /// `until 18:00`; `for 30 seconds` if it is at most a minute, because times of day are too coarse for that.
    func stays(_ end: Date, from now: Date) -> String {
        let seconds = Self.seconds(from: now, to: end)
        guard seconds <= 60 else { return until(end, from: now) }
        return seconds == 1 ? "for a second" : "for \(seconds) seconds"
    }
}

extension LeaveHold.Reason {
    /// Addressed to the adult who is about to leave.
    fileprivate var words: String {
        switch self {
        case .cancel: "A session is running. Leaving takes 30 seconds, as cancelling does."
        case .strict: "A strict session is running. You leave when it is over."
        case .night: "It is night. You leave in the morning."
        case .windows: "Anti-Rot is blocking now. You leave when its next window opens, or at midnight."
        case .limits: "A limit is reached. You leave when its next day begins."
        case .loosening: "You set a delay before rules get easier. It applies here too."
        case .often: "You left here twice this week. The third time takes a day."
        }
    }
}
