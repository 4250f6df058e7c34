package import Foundation
import Pages
package import Policy

/// A person's limits beside their use.
///
/// POST `/limits` `app` or `category`, `minutes`, `weekly`, `mon` … `sun` · `/limits/{id}/delete` ·
/// `/limits/{id}/restore` · `/limits/settings` `resetHour,unlocksPerDay,looseningDelay` ·
/// `/limits/changes/{id}/drop` · `/limits/ways-out` `open` (`on` or absent) · GET `/limits/new`. The asking device's own
/// person may read it without a login.
package struct LimitsPage: Page {
    package static let template = "limits"

    /// The form of a limit that was refused.
    package struct Refused: Sendable {
        package var limit: UUID
        package var typed: LimitFields.Typed
        /// By field name.
        package var errors: [String: String]

        package init(limit: UUID, typed: LimitFields.Typed, errors: [String: String]) {
            self.limit = limit
            self.typed = typed
            self.errors = errors
        }
    }

    struct Undo {
        let id: String
        let name: String
        /// `was added`
        let words: String
    }

    package let title = "Limits"
    let rows: [LimitRow]
    package let isEmpty: Bool
    /// The change that was just made and can be taken back.
    let undo: Undo?
    let waiting: [WaitingLimit]
    package let hasWaiting: Bool
    package let settings: LimitSettings
    /// `00:00`, when a day of limits begins.
    package let dayStart: String
    /// `2 of 5 unlocks used today.`
    package let unlocks: String
    /// Whether the minutes are another adult's, which only that adult may see.
    let isHidden: Bool
    /// The person's exceptions by date; nil without any.
    let dates: DateList?
    /// Whether the page says of VPN sites and encrypted DNS that they are closed for a child, or that an adult opened them.
    let hasWaysOut: Bool
    let waysOutClosed: Bool

    /// Limits are compared with `usage`; `undo` was made within the last seconds.
    ///
    /// - Parameter device: the asking one, if it is this person's: then they can ask for more minutes here.
    package init(
        household: Household, person: Person, catalog: Catalog, usage: UsageTotals, now: Date,
        showsUse: Bool = true, device: Device? = nil, undo: LimitChange? = nil, refused: Refused? = nil,
        settings: LimitSettings? = nil
    ) {
        let clock = ClockFace(zone: household.foundationZone)
        let day = person.limits.day(at: now, in: household.zone)
        let asking =
            device?.isConfirmed != true
            ? nil
            : Asking(person, in: household, catalog: catalog, usage: usage, draft: AskDraft(), clock, now)
        rows = person.limitStates(at: now, in: household.zone, usage: usage).map { state in
            LimitRow(
                state, extra: person.limits.extra(for: state.limit.target, on: day), catalog: catalog,
                clock: clock, now: now, showsUse: showsUse, person: person, asking: asking, refused: refused)
        }
        isEmpty = rows.isEmpty
        dates = DateList(ifAny: household, of: person.id, on: .limits, at: now)
        waysOutClosed = person.closesWaysOut
        hasWaysOut = waysOutClosed || person.role == .child && person.opensWaysOut
        isHidden = !showsUse && !rows.isEmpty
        self.undo = undo.map {
            Undo(id: $0.id.uuidString, name: $0.target.name(in: catalog), words: $0.words)
        }
        waiting = WaitingLimit.all(of: person, catalog: catalog, clock: clock, now: now)
        hasWaiting = !waiting.isEmpty
        self.settings = settings ?? LimitSettings(person)
        dayStart = TimeOfDay(hour: person.limits.resetHour, minute: 0).text
        let used = person.limits.unlocks.map { $0.day == day.date ? $0.count : 0 } ?? 0
        unlocks = showsUse ? Self.unlocks(used, of: person.limits.unlocksPerDay) : ""
    }

    private static func unlocks(_ used: Int, of cap: Int?) -> String {
        if let cap { return "\(used) of \(cap) unlocks used today." }
        return used == 1 ? "1 unlock used today." : "\(used) unlocks used today."
    }
}
