import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/anti-rot/apps`: which apps have windows.
struct AntiRotAppsRoutes: Sendable {
    let desk: Desk

    /// Ticks the stored apps (AR-061).
    func antiRotAppsPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try desk.page(
            AntiRotAppsPage(
                person: asker.person, catalog: desk.catalog, household: asker.household, now: asker.now,
                zone: asker.zone),
            for: asker)
    }

    /// Saves the whole choice on every change. It holds at once (AR-060, AR-091), unless it loosens and has to wait.
    func saveRestrictedApps(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let picked = PickedSelection(&reading, appsOnly: true)
        do {
            try reading.finish()
            let applied = try desk.command { household, log, now in
                log.note(.ruleChanged, asker.person.id, at: now, "Anti-Rot: apps")
                let stored = household[person: asker.person.id]?.antiRot.restricted ?? AppSelection()
                return try household.saveRestricted(
                    asker.person.id, picked.applied(to: stored).apps, catalog: desk.catalog, change: UUID(),
                    at: now)
            }
            return desk.back(to: "/anti-rot/apps", for: asker, done: DoneNotice(applied))
        } catch let refusal as Refusal where refusal.isAboutInput {
            return try refused(FormRejected(["app": refusal.message]), picked, asker)
        } catch let rejected as FormRejected {
            return try refused(rejected, picked, asker)
        }
    }

    private func refused(_ rejected: FormRejected, _ picked: PickedSelection, _ asker: Asker) throws
        -> Response
    {
        let shown = AntiRotAppsPage(
            person: asker.person, catalog: desk.catalog, household: asker.household,
            selection: AppSelection(apps: picked.ticked.apps), now: asker.now, zone: asker.zone,
            errors: rejected.forPage)
        return try desk.page(shown, for: asker, status: .unprocessableContent, notices: rejected.notices)
    }
}

extension DoneNotice {
    init(_ applied: Applied) {
        switch applied {
        case .now: self = .saved
        case .at: self = .waiting
        }
    }
}
