package import Foundation
import Pages
package import Policy

/// Everybody's state on one screen, each with three one-tap buttons. It has no minutes of use: only each adult may see
/// their own.
///
/// POST `/household/bedtime`, `/household/later`, `/household/skip` with `person`; `/household/undo` with `press`, for
/// 8 seconds.
package struct HouseholdPage: Page {
    package static let template = "household"

    package let title = "Household"
    let rows: [HouseholdRow]
    /// The last tap, while it can be taken back.
    package let undo: Undo?

    /// Takes back one tap.
    package struct Undo: Sendable {
        /// `Ada`
        package let name: String
        /// `asleep until 07:00.`
        package let text: String
        package let press: String
        package let person: Int64
        /// Whole seconds until the server refuses it.
        package let seconds: Int

        package init(_ press: OneTapPress, in household: Household, now: Date) {
            let person = household[person: press.person]
            let clock = ClockFace(zone: household.foundationZone)
            self.press = press.id.uuidString
            self.person = press.person.rawValue
            seconds = press.secondsLeft(at: now)
            name = person?.name ?? ""
            let night = person?.nights(in: household.zone)?.nextNight(after: now)
            text =
                switch press.tap {
                case .bedtime:
                    "asleep until \(person?.asleepUntil(at: now, in: household.zone).map(clock.time) ?? "")."
                case .later: "bedtime at \(night.map { clock.time($0.start) } ?? "") tonight."
                case .skip: "no bedtime tonight."
                }
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
        self.undo = undo
    }
}
