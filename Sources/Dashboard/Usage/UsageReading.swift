import Foundation
import Policy
import Store

extension UsageRoutes {
    /// A person's use: one day in detail, and the four weeks that end today. With `app`, only of that app.
    ///
    /// The day's total, hours, ribbon and table come from one `DayRhythm`; other days were summed up when they ended.
    func usageReport(
        of asker: Asker, on date: CivilDate, app: String?, today: CivilDate, in catalog: Catalog
    ) throws -> UsageReport {
        let person = asker.person.id
        let first = today.adding(days: -27)
        let charted = try desk.store.usageByDate(of: person, from: first, to: today, app: app)
        let use = try desk.store.usage(of: person, on: date, app: app)
        let uploaded = try desk.store.usageDays(of: person, from: date, to: date).filter {
            $0.source == .upload
        }
        let attempts = try desk.store.attempts(of: person, from: date, to: date)
        let rhythm = try desk.rhythm(
            of: asker.person, in: asker.household, on: date, use: use.total.spans, at: asker.now)
        return UsageReport(
            rhythm: rhythm,
            apps: apps(use.apps, uploaded, attempts, in: catalog).filter { app == nil || $0.app == app },
            days: (-27...0).map { offset in
                let day = today.adding(days: offset)
                let other = charted[day] ?? DailyUse()
                return UsageReport.Day(
                    date: day, minutes: day == date ? rhythm.total(.use) : other.minutes,
                    attempts: other.attempts)
            })
    }

    /// Joins counted minutes, uploads for apps without counted minutes, and attempts.
    private func apps(
        _ counted: [String: MinutesOfUse], _ uploaded: [UsageDay], _ attempts: [UsageAttempts],
        in catalog: Catalog
    ) -> [UsageReport.AppUse] {
        let reached = Dictionary(attempts.map { ($0.app, $0.count) }, uniquingKeysWith: +)
        let uploads = uploaded.compactMap { day in day.app.map { ($0, (day.minutes, day.source)) } }
        let uses = counted.mapValues { ($0.count, $0.source) }
            .merging(uploads) { counted, _ in counted }
        return Set(uses.keys).union(reached.keys).map { id in
            let (minutes, source) = uses[id] ?? (0, .dns)
            return UsageReport.AppUse(
                app: id, name: catalog.app(id: id)?.name ?? Self.name(ofUse: id), minutes: minutes,
                attempts: reached[id] ?? 0, source: source)
        }.sorted { ($0.minutes, $0.attempts, $1.name) > ($1.minutes, $1.attempts, $0.name) }
    }

    /// The name of use that is no app of the catalog: uploaded minutes, a productive domain, or a removed app of the
    /// household, whose minutes stay.
    private static func name(ofUse id: String) -> String {
        if id.contains(".") { return id }
        return id == HouseholdStore.verifiedUse ? "Verified Minutes" : "An app that was removed (\(id))"
    }

    /// How often rules were bent, and kept, since an instant; from the person's own log.
    func bends(of person: PersonID, since: Date) throws -> [UsagePage.Bend] {
        let counts = try desk.store.logCounts(of: person, since: since)
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
