import Foundation
import Policy
import Store

extension HomeSite {
    /// What a person used: a day in detail, and the four weeks that end today. `app`: of that one only.
    func usageReport(
        of person: PersonID, on date: CivilDate, app: String?, today: CivilDate, in catalog: Catalog
    ) throws -> UsageReport {
        let first = today.adding(days: -27)
        let charted = try store.usageByDate(of: person, from: first, to: today, app: app)
        let used = try store.usageDays(of: person, from: date, to: date)
        let attempts = try store.attempts(of: person, from: date, to: date)
        return UsageReport(
            date: date, hours: try store.usageByHour(of: person, on: date, app: app),
            apps: apps(used, attempts, in: catalog).filter { app == nil || $0.app == app },
            days: (-27...0).map { offset in
                let day = today.adding(days: offset)
                let use = charted[day] ?? DailyUse()
                return UsageReport.Day(date: day, minutes: use.minutes, attempts: use.attempts)
            })
    }

    private func apps(
        _ days: [UsageDay], _ attempts: [UsageAttempts], in catalog: Catalog
    ) -> [UsageReport.AppUse] {
        let reached = Dictionary(attempts.map { ($0.app, $0.count) }, uniquingKeysWith: +)
        let minutes = Dictionary(
            days.compactMap { day in day.app.map { ($0, day) } }, uniquingKeysWith: { first, _ in first })
        return Set(minutes.keys).union(reached.keys).map { id in
            UsageReport.AppUse(
                app: id, name: catalog.app(id: id)?.name ?? Self.name(ofUse: id),
                minutes: minutes[id]?.minutes ?? 0,
                attempts: reached[id] ?? 0, source: minutes[id]?.source ?? .dns)
        }.sorted { ($0.minutes, $0.attempts, $1.name) > ($1.minutes, $1.attempts, $0.name) }
    }

    /// Minutes that were uploaded stand beside apps, under a name of their own, and a productive domain under its own; an
    /// app of the household's own leaves its minutes behind when it goes.
    private static func name(ofUse id: String) -> String {
        if id.contains(".") { return id }
        return id == HouseholdStore.verifiedUse ? "Verified Minutes" : "An app that was removed (\(id))"
    }

    /// How often rules were bent, and kept, since an instant; from the person's own log.
    func bends(of person: PersonID, since: Date) throws -> [UsagePage.Bend] {
        let counts = try store.logCounts(of: person, since: since)
        return [
            UsagePage.Bend("“I'll do it” instead", counts[.suggestionTaken] ?? 0),
            UsagePage.Bend("Unlocked for 1 minute", counts[.unlocked] ?? 0),
            UsagePage.Bend("I'm Eating", counts[.overrideUsed] ?? 0),
            UsagePage.Bend("Asked for more time", counts[.timeAsked] ?? 0),
            UsagePage.Bend("Given more time", counts[.timeGranted] ?? 0),
            UsagePage.Bend("Sessions cancelled", counts[.sessionCancelled] ?? 0),
            UsagePage.Bend("Help opened", counts[.helpUsed] ?? 0),
            UsagePage.Bend("Emergency resets", counts[.sessionReset] ?? 0),
        ]
    }
}
