import Foundation
import Pages
import Policy

/// The one sentence that tells the household that an adult left on a device.
enum LeftWords {
    /// `Anna left on “Phone” on Friday at 21:40. Nothing is blocked on it.`; nil if nobody left.
    static func sentence(_ device: Device, in household: Household, _ clock: ClockFace, _ now: Date)
        -> String?
    {
        device.left.flatMap { left in
            household[person: left.person].map {
                "\($0.name) left on “\(device.name)” \(clock.past(left.at, from: now)). Nothing is blocked on it."
            }
        }
    }

    /// The last seven days, newest first; of one person, or of everybody.
    static func lately(
        in household: Household, of person: PersonID? = nil, _ clock: ClockFace, _ now: Date
    ) -> [String] {
        household.devices
            .filter { device in
                guard let left = device.left else { return false }
                return (person == nil || left.person == person) && now.timeIntervalSince(left.at) < Left.news
            }
            .sorted { ($0.left?.at ?? now, $1.id.rawValue) > ($1.left?.at ?? now, $0.id.rawValue) }
            .compactMap { sentence($0, in: household, clock, now) }
    }
}
