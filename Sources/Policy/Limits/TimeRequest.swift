package import Foundation

/// "Ask for 15 more minutes": a request from a limit's shield that an adult answers.
package struct TimeRequest: Hashable, Sendable, Identifiable {
    /// Minutes that are requested and granted.
    package static let minutes = 15

    package enum Answer: String, Codable, Sendable, CaseIterable { case open, granted, declined }

    package let id: UUID
    package var target: LimitTarget
    /// The device on which it was asked.
    package var device: DeviceID?
    package var askedAt: Date
    package var answer: Answer
    package var answeredAt: Date?

    package init(
        id: UUID, target: LimitTarget, device: DeviceID?, askedAt: Date, answer: Answer = .open,
        answeredAt: Date? = nil
    ) {
        self.id = id
        self.target = target
        self.device = device
        self.askedAt = askedAt
        self.answer = answer
        self.answeredAt = answeredAt
    }
}

/// Minutes granted beyond a limit, for one `LimitDay`.
package struct ExtraTime: Hashable, Sendable {
    package var target: LimitTarget
    package var day: CivilDate
    package var minutes: Int

    package init(target: LimitTarget, day: CivilDate, minutes: Int) {
        self.target = target
        self.day = day
        self.minutes = minutes
    }
}
