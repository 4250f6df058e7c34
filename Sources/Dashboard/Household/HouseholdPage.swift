package import Foundation
import Pages
package import Policy

/// Everybody's state on one screen, each with three one-tap buttons. It has no minutes of use: only each adult may see
/// their own.
///
/// POST `/household/bedtime/all`, `/household/bedtime`, `/household/later`, `/household/skip` with `person`; `/household/undo` with `press`, for
/// 8 seconds.
package struct HouseholdPage: Page {
    package static let template = "household"

    package let title = "Household"
    let rows: [HouseholdRow]
    /// `Bedtime now for all children`; nil if fewer than two would go to bed by it.
    let bedtimeForAll: String?
    /// The last tap, while it can be taken back.
    package let undo: Undo?

    /// Takes back a tap, or all of one button.
    package struct Undo: Sendable {
        /// `Ada`, or `Ada and Ben`
        package let name: String
        /// `asleep until 07:00.`
        package let text: String
        package let press: String
        package let person: Int64
        /// Whole seconds until the server refuses it.
        package let seconds: Int

        /// Nil for no press.
        package init?(_ presses: [OneTapPress], in household: Household, now: Date) {
            guard let press = presses.first else { return nil }
            let clock = ClockFace(zone: household.foundationZone)
            self.press = (press.button ?? press.id).uuidString
            person = press.person.rawValue
            seconds = press.secondsLeft(at: now)
            let people = presses.compactMap { household[person: $0.person] }
            name = people.map(\.name).inSentence
            let night = people.first?.nights(in: household.zone)?.nextNight(after: now)
            text =
                switch press.tap {
                case .bedtime: Self.asleep(people, in: household, clock, now)
                case .later: "bedtime at \(night.map { clock.time($0.start) } ?? "") tonight."
                case .skip: "no bedtime tonight."
                }
        }

        private static func asleep(
            _ people: [Person], in household: Household, _ clock: ClockFace, _ now: Date
        ) -> String {
            let ends = people.map { $0.asleepUntil(at: now, in: household.zone).map(clock.time) ?? "" }
            guard let end = ends.first, Set(ends).count == 1 else {
                return "asleep until their own mornings."
            }
            return "asleep until \(end)."
        }
    }

    /// `rhythms` are the days of the people whose use the asker may see.
    package init(
        household: Household, catalog: Catalog, rhythms: [PersonID: DayRhythm] = [:], undo: Undo? = nil,
        now: Date
    ) {
        rows = household.people.map {
            HouseholdRow($0, in: household, catalog: catalog, rhythm: rhythms[$0.id], now: now)
        }
        let together = household.awakeTogether(at: now)
        bedtimeForAll =
            together.count > 1
            ? "Bedtime now for all\(together[0].role == .child ? " children" : "")" : nil
        self.undo = undo
    }
}
