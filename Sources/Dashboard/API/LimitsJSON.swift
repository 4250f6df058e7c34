import Foundation
import Policy

/// Limits as `GET /api/v1/limits` answers: what is set, what holds today, and what waits.
enum LimitsJSON {
    /// Members of a limit that PUT ignores.
    static let readOnly = [
        "id", "name", "minutesToday", "usedMinutes", "weeklyMinutesNow", "usedThisWeek", "reached",
        "resetsAt",
        "probationEndsAt",
    ]

    /// Without `showsUse`, minutes and unlocks used are null: only the adult may see them.
    static func all(of person: Person, in snapshot: Snapshot, showsUse: Bool) -> JSONValue {
        let (now, zone) = (snapshot.instant, snapshot.household.zone)
        let states = person.limitStates(at: now, in: zone, usage: snapshot.usage)
        let today = person.limits.day(at: now, in: zone).date
        let used = person.limits.unlocks.map { $0.day == today ? $0.count : 0 } ?? 0
        return .object([
            ("limits", .array(states.map { limit($0, snapshot.catalog, showsUse) })),
            ("resetHour", .int(person.limits.resetHour)),
            ("unlocksPerDay", number(person.limits.unlocksPerDay)),
            ("unlocksUsed", number(showsUse ? used : nil)),
            ("looseningDelay", .int(person.looseningDelay)),
            ("waiting", .array(person.pending.map(waiting))),
        ])
    }

    private static func limit(_ state: LimitState, _ catalog: Catalog, _ showsUse: Bool) -> JSONValue {
        let limit = state.limit
        let byDay = Weekday.allCases.compactMap { day in
            limit.minutesByDay[day].map { (key: day.rawValue, value: JSONValue.int($0)) }
        }
        return .object([
            ("id", .string(limit.id.uuidString)), ("kind", .string(limit.target.kind)),
            ("target", .string(limit.target.id)), ("name", .string(limit.target.name(in: catalog))),
            ("minutes", .int(limit.minutes)), ("minutesByDay", .object(byDay)),
            ("weeklyMinutes", number(limit.weeklyMinutes)),
            ("leavesOut", .strings(limit.leavesOut.sorted())), ("minutesToday", .int(state.allowance)),
            ("usedMinutes", number(showsUse ? state.use.day : nil)),
            ("weeklyMinutesNow", number(state.weeklyAllowance)),
            ("usedThisWeek", number(showsUse ? state.use.week : nil)), ("reached", .bool(state.isReached)),
            ("resetsAt", .instant(state.resetsAt)), ("probationEndsAt", .instant(state.probationEndsAt)),
        ])
    }

    /// A loosening change that waits: its subject, and when it takes effect.
    static func waiting(_ entry: PendingChange) -> JSONValue {
        let (change, target): (String, LimitTarget?) =
            switch entry.change {
            case .restricted: ("restricted", nil)
            case .windows: ("windows", nil)
            case .removeWindowSet: ("removeWindowSet", nil)
            case .limit(let limit): ("limit", limit.target)
            case .removeLimit(let target): ("removeLimit", target)
            case .resetHour: ("resetHour", nil)
            case .unlocksPerDay: ("unlocksPerDay", nil)
            case .looseningDelay: ("looseningDelay", nil)
            case .dateException: ("dateException", nil)
            case .removeDateException: ("removeDateException", nil)
            }
        return .object([
            ("id", .string(entry.id.uuidString)), ("change", .string(change)),
            ("kind", target.map { .string($0.kind) } ?? .null),
            ("target", target.map { .string($0.id) } ?? .null), ("due", .instant(entry.due)),
        ])
    }

    private static func number(_ value: Int?) -> JSONValue { value.map { .int($0) } ?? .null }
}
