package import Foundation
import Pages
package import Policy

/// Asks when a schedule that was saved during its own hours begins; nothing is saved before the answer.
///
/// The form sends everything again, with `begin`: `now`, `tomorrow`, or `back` to the form.
package struct ScheduleQuestionPage: Page {
    package static let template = "schedule-question"

    struct Field {
        let name: String
        let value: String
    }

    /// The beginning or the end of some people's night.
    struct Moment {
        /// `07:00`
        let time: String
        /// `Mia, Tom and you`; nil if one person lives here.
        let people: String?
        let isLast: Bool
    }

    package let title = "Start now?"
    /// The form's address.
    let action: String
    /// `22:40`
    let now: String
    /// The bedtimes of the nights that would begin.
    let bedtimes: [Moment]
    let rests: [Moment]
    /// `You cannot cancel tonight: it is strict.`
    let cannotCancel: String?
    let fields: [Field]
    /// Whether it is about the bedtimes of all people, and not about one whose page it is.
    let isOfEverybody: Bool
    /// The line over set-up, if set-up asks.
    let progress: SetupProgress?

    /// - Parameters:
    ///   - nights: those that would begin, each with its strictness; not empty.
    ///   - reader: the person of the asking device.
    ///   - fields: the posted ones.
    ///   - step: set-up's step that asks; nil later.
    package init(
        nights: [(person: PersonID, night: Night, strictness: StrictnessMode)], in household: Household,
        reader: PersonID?, action: String, fields: FormFields, step: SetupStep? = nil, now: Date
    ) {
        let clock = ClockFace(zone: household.foundationZone)
        let isAlone = household.people.count == 1
        func names(_ people: [PersonID]) -> String {
            let others = people.filter { $0 != reader }.compactMap { household[person: $0]?.name }
            return (others + (people.contains { $0 == reader } ? ["you"] : [])).listed
        }
        self.action = action
        isOfEverybody = action == SetupStep.bedtime.path
        progress = isOfEverybody ? step.map(SetupProgress.init) : nil
        self.now = clock.time(now)
        func moments(_ part: KeyPath<Night, Date>) -> [Moment] {
            let all = Set(nights.map { $0.night[keyPath: part] }).sorted()
            return all.map { instant in
                let whose = nights.filter { $0.night[keyPath: part] == instant }.map(\.person)
                return Moment(
                    time: clock.time(instant), people: isAlone ? nil : names(whose),
                    isLast: instant == all.last)
            }
        }
        bedtimes = moments(\.start)
        rests = moments(\.end)
        let strict = nights.filter { $0.strictness == .strict }.map(\.person)
        cannotCancel =
            switch strict.count {
            case 0: nil
            case _ where isAlone || strict.contains { $0 == reader }:
                "You cannot cancel tonight: it is strict."
            case nights.count: "Nobody can cancel tonight: it is strict."
            default: "Nobody can cancel tonight for \(names(strict)): it is strict."
            }
        self.fields = fields.pairs.filter { !["csrf", "person", "back", "begin"].contains($0.name) }
            .map { Field(name: $0.name, value: $0.value) }
    }
}

extension ScheduleQuestionPage {
    /// Nil unless saving would begin a night at once, for one of the people at least.
    init?(
        about schedules: [(person: PersonID, schedule: RecurringSchedule)], _ fields: FormFields,
        _ asker: Asker, action: String
    ) {
        let nights = schedules.compactMap { person, schedule in
            asker.household.nightBegun(bySaving: schedule, for: person, at: asker.now).map {
                (person: person, night: $0, strictness: schedule.strictness)
            }
        }
        guard !nights.isEmpty else { return nil }
        self.init(
            nights: nights, in: asker.household, reader: asker.device?.person, action: action,
            fields: fields, step: asker.setupStep(.bedtime), now: asker.now)
    }
}
