package import Foundation
import Pages
package import Policy

/// A question on its own page, so that links can lead to it: GET and POST `/requests/{id}` `answer=grant|decline`.
package struct QuestionPage: Page {
    package static let template = "question"

    package let title = "A request"
    let row: QuestionRow
    let device: String?
    /// `42 of 30 min today`, or `30 min today` if the viewer may not see the use; nil if it is about no limit.
    let use: String?
    let isOpen: Bool
    let isGranted: Bool
    let isDeclined: Bool
    /// What a yes does, in a sentence.
    let effect: String

    package init(
        _ question: Question, in household: Household, catalog: Catalog, usage: UsageTotals = .none,
        showsUse: Bool = true, now: Date
    ) {
        let clock = ClockFace(zone: household.foundationZone)
        row = QuestionRow(question, catalog: catalog, clock: clock)
        device = question.device.flatMap { household[device: $0]?.name }
        isOpen = question.answer == .open
        isGranted = question.answer == .granted
        isDeclined = question.answer == .declined
        let person = household[person: question.person]
        switch question.about {
        case .minutes(let target):
            let day = person?.limits.day(at: now, in: household.zone)
            use = person?.limitStates(at: now, in: household.zone, usage: usage)
                .first { $0.limit.target == target }
                .map { showsUse ? "\($0.use.day) of \($0.allowance) min today" : "\($0.allowance) min today" }
            effect =
                person.flatMap { person in
                    day.map { Self.use(of: person, until: $0.end, in: household.zone, clock, now) }
                } ?? ""
        case .wish(let what):
            use = nil
            effect =
                switch what {
                case .app: "The app stays open from the next session on. A running session does not change."
                case .later: "Tonight starts \(TonightChange.step) minutes later, and ends as planned."
                case .skip: "No session begins tonight. Tomorrow stays as planned."
                }
        }
    }

    /// For how long minutes that are granted now can be used: until the day of limits ends, but not in the night.
    private static func use(
        of person: Person, until end: Date, in zone: CivilZone, _ clock: ClockFace, _ now: Date
    ) -> String {
        if let wake = person.asleepUntil(at: now, in: zone) {
            return wake < end
                ? "They are asleep until \(clock.time(wake)). Then the minutes are valid until \(clock.time(end))."
                : "They are asleep until \(clock.time(wake)). The minutes end before that, at \(clock.time(end))."
        }
        let bedtime = person.nights(in: zone)?.nextNight(after: now)?.start
        if let bedtime, bedtime < end {
            return "The minutes are valid until bedtime, at \(clock.time(bedtime))."
        }
        return "The minutes are valid until \(clock.time(end))."
    }
}
