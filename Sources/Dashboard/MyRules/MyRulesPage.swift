package import Foundation
import Pages
package import Policy
package import Store

/// A person's own rules in plain sentences, who changed each one and when, what is counted, and how to ask and to leave
///. The asking device's person needs no login.
///
/// POST `/my-rules/ask`, `/my-rules/leave`, `/my-rules/stay`.
package struct MyRulesPage: Page {
    package static let template = "my-rules"

    package let title = "My rules"
    let name: String
    /// Whether the reader is the person of these rules.
    let isOwn: Bool
    let isChild: Bool
    /// Whether these are the times of devices, which look at no page of their own.
    let isShared: Bool
    /// A child's own page.
    let isOwnChild: Bool
    /// An adult's own page.
    let isOwnAdult: Bool
    /// Whether people with the passcode see the minutes too: a child's, and those of the only person.
    let isSeen: Bool
    /// Empty on a device that only enrolled itself, because anybody can press that button.
    let rules: [RuleCard]
    /// The latest changes, newest first.
    let changes: [ChangeRow]
    let hasChanges: Bool
    /// Whether the log is not shown because it is another person's.
    let hidesChanges: Bool
    /// Whether the device enrolled itself, and nobody with the passcode has confirmed it.
    let isUnconfirmed: Bool
    let leaving: LeavingLine?
    let asking: Asking?

    /// The log's part of the page.
    package struct Past {
        package var own: [RuleSubject: LogEntry]
        package var household: [RuleSubject: LogEntry]
        package var entries: [LogEntry]
        /// Whether the asker may read the person's own log.
        package var isShown: Bool

        package init(
            own: [RuleSubject: LogEntry] = [:], household: [RuleSubject: LogEntry] = [:],
            entries: [LogEntry] = [], isShown: Bool = true
        ) {
            self.own = own
            self.household = household
            self.entries = entries
            self.isShown = isShown
        }
    }

    /// - Parameters:
    ///   - device: the asking one, if it is this person's.
    ///   - isTrusted: whether the passcode or a token came with the request.
    package init(
        person: Person, household: Household, catalog: Catalog, past: Past, device: Device?,
        isTrusted: Bool = false, usage: UsageTotals = .none, draft: AskDraft = AskDraft(), now: Date
    ) {
        let clock = ClockFace(zone: household.foundationZone)
        name = person.name
        isOwn = device != nil || household.members.count == 1
        isChild = person.role == .child
        isShared = person.role == .shared
        isOwnChild = isOwn && isChild
        isOwnAdult = isOwn && !isChild
        isSeen = person.role != .adult || household.members.count == 1
        isUnconfirmed = device?.isConfirmed == false && !isTrusted
        let facts = RuleCard.Facts(
            person: person, household: household, catalog: catalog, past: past, clock: clock, now: now)
        rules = isUnconfirmed ? [] : RuleCard.all(facts)
        changes = past.isShown ? past.entries.map { ChangeRow($0, in: household, clock, now) } : []
        hasChanges = !changes.isEmpty
        hidesChanges = !past.isShown
        leaving = device.flatMap { person.role == .adult ? LeavingLine($0, clock, now) : nil }
        asking =
            device?.isConfirmed != true
            ? nil
            : Asking(person, in: household, catalog: catalog, usage: usage, draft: draft, clock, now)
    }

    /// Leaving, or the leave that waits.
    struct LeavingLine {
        /// `until tomorrow at 07:00`, when the leave takes effect; nil if they have not asked.
        let departs: String?
        let device: String

        init(_ device: Device, _ clock: ClockFace, _ now: Date) {
            self.device = device.name
            departs = device.departure.map { clock.stays($0.due, from: now) }
        }
    }
}
