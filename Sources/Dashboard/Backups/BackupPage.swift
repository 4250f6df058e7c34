package import Foundation
import Pages
package import Policy
package import Store

/// What a backup would change, before it is restored: POST `/settings/backups/restore` with `file`, the name of a backup
/// that is here, and `passcode`.
package struct BackupPage: Page {
    package static let template = "backup"

    struct Change {
        let name: String
        let text: String
    }

    package let title = "Look at a backup"
    let file: String
    /// `Made by itself. It is as of yesterday at 21:40.`
    let about: String
    let changes: [Change]
    let hasChanges: Bool
    /// Why nothing can be restored now.
    let refusal: String?
    /// By field name: `passcode`.
    package let errors: [String: String]

    package init(
        _ backup: KeptBackup, _ contents: BackupContents, household: Household, refusal: String? = nil,
        errors: [String: String] = [:], now: Date, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        file = backup.name
        about =
            "\(backup.kind.title). It is as of \(clock.past(contents.lastInstant ?? backup.writtenAt, from: now))."
        changes = Self.changes(household.difference(to: contents.household))
        hasChanges = !changes.isEmpty
        (self.refusal, self.errors) = (refusal, errors)
    }

    private static func changes(_ difference: HouseholdDifference) -> [Change] {
        let rules = difference.rules.map { rules in
            let titles = rules.subjects.map(\.title)
            return Change(
                name: rules.person ?? "The household", text: "As then: \(titles.joined(separator: ", "))")
        }
        return difference.peopleBack.map { Change(name: $0, text: "Comes back, with their rules") }
            + difference.peopleGone.map { Change(name: $0, text: "Goes, with their rules and history") }
            + rules
            + difference.handed.map {
                Change(name: $0.device, text: "Belongs to \($0.to) again, not to \($0.from)")
            }
            + difference.devicesBack.map { Change(name: $0, text: "This device comes back") }
            + difference.devicesGone.map { Change(name: $0, text: "This device is new again when it asks") }
    }
}
