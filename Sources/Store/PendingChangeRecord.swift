import Foundation
import GRDB
import Policy

/// The rows of a person's changes that wait, what they change as JSON.
enum PendingChangeRecord: ListedRecord {
    static let table = "pending_change"
    static let noun = "change that waits"

    static func element(_ row: Row) throws -> PendingChange {
        guard let change = try row.json("change", ChangeDocument.self).change else {
            throw UnreadableColumn(column: "change")
        }
        return PendingChange(id: try row.uuid("id"), due: try row.instant("due"), change: change)
    }

    static func columns(
        _ pending: PendingChange
    ) throws -> KeyValuePairs<String, (any DatabaseValueConvertible)?> {
        [
            "id": pending.id.uuidString, "due": pending.due.milliseconds,
            "change": try jsonText(ChangeDocument(pending.change)),
        ]
    }
}

/// What a change that waits will change, in JSON: its kind, and what belongs to that kind.
struct ChangeDocument: Codable {
    enum Kind: String, Codable {
        case selectedApps, allowedWindows, limit, removeLimit, resetHour, unlocksPerDay, looseningDelay
    }

    var kind: Kind
    var selectedApps: SortedSelection?
    var allowedWindows: [TimeWindowDocument]?
    var limit: UsageLimitDocument?
    var target: TargetDocument?
    /// The hour, the number of unlocks a day (none: no end of them), or the hours to wait.
    var number: Int?

    init(_ change: PendingChange.Change) {
        switch change {
        case .restricted(let selection):
            kind = .selectedApps
            selectedApps = selection.sorted
        case .windows(let windows):
            kind = .allowedWindows
            allowedWindows = windows.map(TimeWindowDocument.init)
        case .limit(let changed):
            kind = .limit
            limit = UsageLimitDocument(changed)
        case .removeLimit(let removed):
            kind = .removeLimit
            target = TargetDocument(removed)
        case .resetHour(let hour):
            kind = .resetHour
            number = hour
        case .unlocksPerDay(let count):
            kind = .unlocksPerDay
            number = count
        case .looseningDelay(let hours):
            kind = .looseningDelay
            number = hours
        }
    }

    /// Nil where what belongs to its kind is missing, or could not be kept.
    var change: PendingChange.Change? {
        switch kind {
        case .selectedApps: return selectedApps.map { .restricted($0.selection) }
        case .allowedWindows:
            guard let windows = allowedWindows?.map(\.window), !windows.contains(nil) else { return nil }
            return .windows(windows.compactMap { $0 })
        case .limit: return limit?.limit.map { .limit($0) }
        case .removeLimit: return target?.asTarget.map { .removeLimit($0) }
        case .resetHour: return number.flatMap { Limits.resetHours.contains($0) ? .resetHour($0) : nil }
        case .unlocksPerDay:
            return number.map(Limits.unlockCounts.contains) ?? true ? .unlocksPerDay(number) : nil
        case .looseningDelay:
            return number.flatMap {
                PendingChange.delays.contains($0) ? .looseningDelay(hours: $0) : nil
            }
        }
    }
}

extension PendingChange {
    /// The change with its instant as a row keeps it.
    var asStored: PendingChange { PendingChange(id: id, due: due.asStored, change: change) }
}
