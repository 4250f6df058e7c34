import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/anti-rot/apps`: which apps have windows; of another set below `/anti-rot/sets/{set}`.
struct AntiRotAppsRoutes: Sendable {
    let desk: Desk
    private let changes = PickerChanges()

    /// Ticks the stored apps.
    func antiRotAppsPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try desk.page(
            AntiRotAppsPage(
                person: asker.person, set: visit.windowSet(of: asker.person), catalog: desk.catalog,
                household: asker.household, view: PickerView(request),
                undo: changes.offer(request, asker, desk), now: asker.now,
                zone: asker.zone),
            for: asker)
    }

    /// Saves the whole choice on every change. It holds at once, unless it loosens and has to wait.
    func saveRestrictedApps(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let set = try visit.windowSet(of: asker.person)
        let path = "\(SetPlace(set).base)/apps"
        var reading = FormReading(fields)
        let picked = PickedSelection(&reading, appsOnly: set.id == nil)
        do {
            try reading.finish()
            let (applied, change) = try save(set, asker) { stored, catalog in
                picked.applied(to: stored, catalog: catalog)
            }
            guard applied == .now else {
                return desk.back(to: path, for: asker, done: .waiting)
            }
            let query =
                asker.person.looseningDelay == 0
                ? changes.keep(change, picked, asker, desk) : picked.view.query
            return desk.back(to: path, for: asker, done: .saved, query: query)
        } catch let refusal as Refusal where refusal.isAboutInput {
            return try refused(FormRejected(["app": refusal.message]), picked, set, asker)
        } catch let rejected as FormRejected {
            return try refused(rejected, picked, set, asker)
        }
    }

    /// Undo: what was before the last save, exactly; it may have to wait like any other change.
    func undoRestrictedApps(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let set = try visit.windowSet(of: asker.person)
        let change = try changes.taken(fields, asker, desk)
        let (applied, _) = try save(set, asker) { stored, _ in
            stored.changed(from: change.after, to: change.before)
        }
        return desk.back(
            to: "\(SetPlace(set).base)/apps", for: asker, done: applied == .now ? .undone : .waiting,
            query: applied == .now ? PickerView(fields).query : nil)
    }

    private func save(
        _ set: WindowSet, _ asker: Asker, _ new: (AppSelection, Catalog) -> AppSelection
    ) throws -> (Applied, PickerChange) {
        try desk.command { household, log, now in
            let stored = household[person: asker.person.id]?.antiRot[set: set.id]?.chosen ?? AppSelection()
            var chosen = new(stored, desk.wholeCatalog(household))
            if set.id == nil { chosen = AppSelection(apps: chosen.apps) }
            let applied = try household.saveRestricted(
                asker.person.id, chosen, of: set.id, catalog: desk.catalog, change: UUID(), at: now)
            log.note(.ruleChanged, asker.person.id, at: now, "\(set.logged): apps")
            return (applied, PickerChange(before: stored, after: chosen))
        }
    }

    private func refused(
        _ rejected: FormRejected, _ picked: PickedSelection, _ set: WindowSet, _ asker: Asker
    ) throws -> Response {
        let shown = AntiRotAppsPage(
            person: asker.person, set: set, catalog: desk.catalog, household: asker.household,
            selection: set.id == nil ? AppSelection(apps: picked.ticked.apps) : picked.ticked,
            view: picked.view, now: asker.now, zone: asker.zone, errors: rejected.forPage)
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
