import Foundation
import Hummingbird
import Pages
import Policy

extension LimitsRoutes {
    /// Saves when a day begins, how many unlocks it has, and how long loosening waits.
    func saveLimitSettings(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        do {
            let wanted = try LimitSettingsForm(fields)
            let applied = try changeLimits(of: asker.person.id) { household, person, now in
                try wanted.apply(to: &household, person, at: now)
            }
            return desk.back(to: "/limits", for: asker, done: DoneNotice(applied))
        } catch let rejected as FormRejected {
            let typed = LimitSettings(
                resetHour: fields.first("resetHour") ?? "",
                unlocksPerDay: fields.first("unlocksPerDay") ?? "",
                looseningDelay: fields.first("looseningDelay") ?? "", errors: rejected.forPage)
            return try limits(asker, settings: typed, notices: rejected.notices)
        }
    }
}

/// The posted settings that all limits share: `resetHour`, `unlocksPerDay` (empty: any number), `looseningDelay` in
/// hours.
private struct LimitSettingsForm {
    private let resetHour: Int
    private let unlocksPerDay: Int?
    private let looseningDelay: Int

    init(_ fields: FormFields) throws(FormRejected) {
        var reading = FormReading(fields)
        let hour = reading.integer("resetHour", Refusal.resetHourOutOfRange.message)
        if let hour, !Limits.resetHours.contains(hour) { reading.refuse("resetHour", .resetHourOutOfRange) }
        let unlocks = reading.optional("unlocksPerDay") ?? ""
        unlocksPerDay = FormReading.wholeNumber(unlocks)
        if !unlocks.isEmpty, !(unlocksPerDay.map { Limits.unlockCounts.contains($0) } ?? false) {
            reading.refuse("unlocksPerDay", .unlocksOutOfRange)
        }
        let delay = reading.integer("looseningDelay", Refusal.unknownDelay.message)
        if let delay, !PendingChange.delays.contains(delay) {
            reading.refuse("looseningDelay", .unknownDelay)
        }
        try reading.finish()
        resetHour = hour ?? 0
        looseningDelay = delay ?? 0
    }

    /// Changes only what differs. The delay comes last, so that the other changes still wait by the old one.
    func apply(to household: inout Household, _ person: PersonID, at now: Date) throws(Refusal) -> Applied {
        guard let before = household[person: person] else { throw .unknownPerson }
        var results: [Applied] = []
        if resetHour != before.limits.resetHour {
            results.append(try household.setResetHour(person, to: resetHour, change: UUID(), at: now))
        }
        if unlocksPerDay != before.limits.unlocksPerDay {
            results.append(
                try household.setUnlocksPerDay(person, to: unlocksPerDay, change: UUID(), at: now))
        }
        if looseningDelay != before.looseningDelay {
            results.append(
                try household.setLooseningDelay(person, hours: looseningDelay, change: UUID(), at: now))
        }
        return results.first { $0 != .now } ?? .now
    }
}
