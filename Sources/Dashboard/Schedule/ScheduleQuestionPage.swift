package import Foundation
import Pages
package import Policy

/// Asks when a schedule begins that was saved inside its own hours; nothing is saved before the answer.
///
/// The form sends everything again, with `begin`: `now`, `tomorrow`, or `back` to the form.
package struct ScheduleQuestionPage: Page {
    package static let template = "schedule-question"

    struct Field {
        let name: String
        let value: String
    }

    package let title = "Start now?"
    /// `22:40`
    let now: String
    /// `22:00` and `07:00` of the night that would begin.
    let bedtime: String
    let wake: String
    /// `Mia, Tom and you`: all whose apps would rest now; nil if one person lives here.
    let names: String?
    /// Whether the reader is one of them, or nobody knows who reads.
    let isAboutReader: Bool
    let isStrict: Bool
    let fields: [Field]

    /// - Parameters:
    ///   - people: those for whom the night would begin.
    ///   - reader: the person of the asking device.
    ///   - fields: the posted ones.
    package init(
        night: Night, of people: [PersonID], in household: Household, reader: PersonID?,
        strictness: StrictnessMode, fields: FormFields, now: Date
    ) {
        let clock = ClockFace(zone: household.foundationZone)
        let others = people.filter { $0 != reader }.compactMap { household[person: $0]?.name }
        let isAboutReader = reader.map(people.contains) ?? false
        names = household.people.count > 1 ? (others + (isAboutReader ? ["you"] : [])).listed : nil
        self.isAboutReader = isAboutReader || names == nil
        self.now = clock.time(now)
        bedtime = clock.time(night.start)
        wake = clock.time(night.end)
        isStrict = strictness == .strict
        self.fields = fields.pairs.filter { !["csrf", "person", "back", "begin"].contains($0.name) }
            .map { Field(name: $0.name, value: $0.value) }
    }
}
