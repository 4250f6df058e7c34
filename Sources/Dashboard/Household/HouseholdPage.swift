package import Foundation
import Pages
package import Policy

/// Everybody's state on one screen, each with three one-tap buttons. It has no minutes of use: only each adult may see
/// their own.
///
/// POST `/household/bedtime`, `/household/later`, `/household/skip` with `person`; `/household/at` with `time` too;
/// `/household/bonus` with `minutes` and perhaps a `limit`; `/household/children`, `/household/everybody`;
/// `/household/wake`, `/household/pause`, `/household/keep` with `person`; `/household/undo` with `press`, for 8 seconds.
package struct HouseholdPage: Page {
    package static let template = "household"

    package let title = "Household"
    let rows: [HouseholdRow]
    /// The last tap, while it can be taken back.
    package let undo: Undo?

    let toBed: [ToBed]
    /// Everybody's exceptions by date.
    let dates: DateList

    /// Takes back one press.
    package struct Undo: Sendable {
        /// For whom, in the order of people.
        let parts: [Part]
        package let press: String
        /// Nil if it was for several people.
        package let person: Int64?
        /// Whole seconds until the server refuses it.
        package let seconds: Int

        /// A person, and what became of their night.
        struct Part: Sendable {
            /// `Ada`
            let name: String
            /// `asleep until 07:00`
            let text: String
            /// `, ` before another person, else a full stop.
            let after: String
        }

        /// Nil without presses. All of them have the same id.
        package init?(
            _ presses: [OneTapPress], in household: Household, catalog: Catalog, now: Date
        ) {
            guard let first = presses.first else { return nil }
            let clock = ClockFace(zone: household.foundationZone)
            press = first.id.uuidString
            person = presses.count == 1 ? first.person.rawValue : nil
            seconds = first.secondsLeft(at: now)
            parts = presses.enumerated().map { index, press in
                let person = household[person: press.person]
                return Part(
                    name: person?.name ?? "",
                    text: person.map {
                        Self.words(press.tap, of: $0, in: household.zone, catalog, clock, now)
                    } ?? "",
                    after: index == presses.count - 1 ? "." : ", ")
            }
        }

        private static func words(
            _ tap: OneTap, of person: Person, in zone: CivilZone, _ catalog: Catalog,
            _ clock: ClockFace, _ now: Date
        ) -> String {
            switch tap {
            case .bedtime, .wakeAt:
                "asleep until \(person.asleepUntil(at: now, in: zone).map(clock.time) ?? "")"
            case .later, .at:
                "bedtime at \(person.nights(in: zone)?.nextNight(after: now).map { clock.time($0.start) } ?? "") tonight"
            case .skip: "no bedtime tonight"
            case .bonus(let bonus): "\(bonus.words(in: catalog)) today"
            }
        }
    }

    /// `rhythms` are the days of the people whose use the asker may see.
    package init(
        household: Household, catalog: Catalog, rhythms: [PersonID: DayRhythm] = [:], undo: Undo? = nil,
        now: Date
    ) {
        // Children first: a parent looks for them.
        let people =
            household.people.filter { $0.role == .child } + household.people.filter { $0.role != .child }
        rows = people.map {
            HouseholdRow($0, in: household, catalog: catalog, rhythm: rhythms[$0.id], now: now)
        }
        self.undo = undo
        dates = DateList(household, on: .household, at: now)
        toBed = household.bedtimeGroups(at: now).map { ToBed($0, in: household) }
    }
}
