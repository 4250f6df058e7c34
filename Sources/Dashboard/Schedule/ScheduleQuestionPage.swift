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
    let isStrict: Bool
    let fields: [Field]

    /// `fields` are the posted ones.
    package init(
        night: Night, strictness: StrictnessMode, fields: FormFields, now: Date, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        self.now = clock.time(now)
        bedtime = clock.time(night.start)
        wake = clock.time(night.end)
        isStrict = strictness == .strict
        self.fields = fields.pairs.filter { !["csrf", "person", "begin"].contains($0.name) }
            .map { Field(name: $0.name, value: $0.value) }
    }
}
