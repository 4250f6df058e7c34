import Foundation
import Policy

// What windows and limits are made of, as JSON. Each gives back nil where it holds what no rule allows.

struct TimeWindowDocument: Codable {
    var id: UUID
    var label: String
    var start: TimeOfDay
    var end: TimeOfDay
    /// From Monday on.
    var days: [Weekday]

    init(_ window: TimeWindow) {
        id = window.id
        label = window.label
        start = window.start
        end = window.end
        days = window.days.sorted()
    }

    var window: TimeWindow? {
        guard start < end, !days.isEmpty else { return nil }
        return TimeWindow(id: id, label: label, start: start, end: end, days: Set(days))
    }
}

struct TargetDocument: Codable {
    var kind: String
    var target: String

    init(_ target: LimitTarget) {
        kind = target.kind
        self.target = target.id
    }
}

extension TargetDocument {
    /// Nil for a kind that is none.
    var asTarget: LimitTarget? { LimitTarget(kind: kind, id: target) }
}

struct LimitSettingsDocument: Codable {
    var resetHour: Int
    var unlocksPerDay: Int?
    var unlocksDay: CivilDate?
    var unlocks: Int?
    var looseningDelay: Int

    init(_ settings: LimitSettings) {
        resetHour = settings.resetHour
        unlocksPerDay = settings.unlocksPerDay
        unlocksDay = settings.unlocks?.day
        unlocks = settings.unlocks?.count
        looseningDelay = settings.looseningDelay
    }

    var settings: LimitSettings? {
        guard Limits.resetHours.contains(resetHour), PendingChange.delays.contains(looseningDelay) else {
            return nil
        }
        return LimitSettings(
            resetHour: resetHour, unlocksPerDay: unlocksPerDay,
            unlocks: unlocksDay.map { Limits.DayCount(day: $0, count: unlocks ?? 0) },
            looseningDelay: looseningDelay)
    }
}

struct ReachedLimitDocument: Codable {
    var target: TargetDocument
    var day: CivilDate
    var dayMinutes: Int
    var weekMinutes: Int
    var since: Date

    init(_ entry: ReachedLimit) {
        target = TargetDocument(entry.target)
        day = entry.day
        dayMinutes = entry.use.day
        weekMinutes = entry.use.week
        since = entry.since
    }

    var reached: ReachedLimit? {
        target.asTarget.map {
            ReachedLimit(
                target: $0, day: day, use: TargetUse(day: dayMinutes, week: weekMinutes), since: since)
        }
    }
}

struct ProbationDocument: Codable {
    var id: String
    var target: TargetDocument
    var expiresAt: Date

    init(_ probation: Probation) {
        id = probation.id
        target = TargetDocument(probation.target)
        expiresAt = probation.expiresAt
    }

    var probation: Probation? {
        target.asTarget.map { Probation(id: id, target: $0, expiresAt: expiresAt) }
    }
}

struct ExtraTimeDocument: Codable {
    var target: TargetDocument
    var day: CivilDate
    var minutes: Int

    init(_ extra: ExtraTime) {
        target = TargetDocument(extra.target)
        day = extra.day
        minutes = extra.minutes
    }

    var extra: ExtraTime? { target.asTarget.map { ExtraTime(target: $0, day: day, minutes: minutes) } }
}

struct TimeRequestDocument: Codable {
    var id: UUID
    var target: TargetDocument
    var device: Int64?
    var askedAt: Date
    var answer: TimeRequest.Answer
    var answeredAt: Date?

    init(_ request: TimeRequest) {
        id = request.id
        target = TargetDocument(request.target)
        device = request.device?.rawValue
        askedAt = request.askedAt
        answer = request.answer
        answeredAt = request.answeredAt
    }

    var request: TimeRequest? {
        target.asTarget.map {
            TimeRequest(
                id: id, target: $0, device: device.map(DeviceID.init), askedAt: askedAt, answer: answer,
                answeredAt: answeredAt)
        }
    }
}

struct PendingChangeDocument: Codable {
    var id: UUID
    var due: Date
    var change: ChangeDocument

    init(_ entry: PendingChange) {
        id = entry.id
        due = entry.due
        change = ChangeDocument(entry.change)
    }

    var pending: PendingChange? { change.change.map { PendingChange(id: id, due: due, change: $0) } }
}
