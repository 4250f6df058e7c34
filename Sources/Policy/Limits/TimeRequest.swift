package import Foundation

/// "Ask for 15 more minutes": a question from a limit's shield that the owner answers.
package struct TimeRequest: Hashable, Codable, Sendable, Identifiable {
    /// What is asked for and granted.
    package static let minutes = 15

    package enum Answer: String, Codable, Sendable, CaseIterable { case open, granted, declined }

    package let id: UUID
    package var target: LimitTarget
    /// Why, in the asking person's own words; one line of at most `CleanName.maximumReason` characters.
    @Defaulted package var reason: String?
    /// The device on which it was asked.
    package var device: DeviceID?
    package var askedAt: Date
    package var answer: Answer
    package var answeredAt: Date?

    package init(
        id: UUID, target: LimitTarget, reason: String? = nil, device: DeviceID?, askedAt: Date,
        answer: Answer = .open, answeredAt: Date? = nil
    ) {
        self.id = id
        self.target = target
        self.reason = reason
        self.device = device
        self.askedAt = askedAt
        self.answer = answer
        self.answeredAt = answeredAt
    }
}

/// Minutes that were granted on top of a limit, for one `LimitDay`.
package struct ExtraTime: Hashable, Codable, Sendable {
    package var target: LimitTarget
    package var day: CivilDate
    package var minutes: Int
    /// How many of them had been used past the limit before.
    @Defaulted package var past: Int

    package init(target: LimitTarget, day: CivilDate, minutes: Int, past: Int = 0) {
        self.target = target
        self.day = day
        self.minutes = minutes
        self.past = past
    }
}
