import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/verified/selection`: the productive apps.
struct VerifiedSelectionRoutes: Sendable {
    let desk: Desk
    let delivery: VerifiedDelivery
    private let changes = PickerChanges()

    func verifiedSelectionPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try verifiedSelection(
            asker, view: PickerView(request), undo: changes.offer(request, asker, desk))
    }

    /// "Save selection locally".
    func saveProductiveApps(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let picked = PickedSelection(&reading)
        do {
            try reading.finish()
            let change = try save(asker) { stored, catalog in
                picked.applied(to: stored, catalog: catalog)
            }
            return desk.back(
                to: "/verified/selection", for: asker, done: .saved,
                query: changes.keep(change, picked, asker, desk))
        } catch let refusal as Refusal where refusal.isAboutInput {
            let field = if case .unknownIDs = refusal { "app" } else { "domain" }
            return try verifiedSelection(
                asker, refused: picked.ticked, typed: fields.all("domain").last,
                view: picked.view, rejected: FormRejected([field: refusal.message]))
        } catch let rejected as FormRejected {
            return try verifiedSelection(
                asker, refused: picked.ticked, view: picked.view, rejected: rejected)
        }
    }

    /// Undo: what was before the last save, exactly.
    func undoProductiveApps(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let change = try changes.taken(fields, asker, desk)
        _ = try save(asker) { stored, _ in stored.changed(from: change.after, to: change.before) }
        return desk.back(
            to: "/verified/selection", for: asker, done: .undone, query: PickerView(fields).query)
    }

    private func save(
        _ asker: Asker, _ new: (AppSelection, Catalog) -> AppSelection
    ) throws -> PickerChange {
        func stored(_ household: Household) -> AppSelection {
            household[person: asker.person.id]?.verified.productive ?? AppSelection()
        }
        return try desk.command { household, log, now in
            let before = stored(household)
            try household.saveProductive(
                asker.person.id, new(before, desk.wholeCatalog(household)), catalog: desk.catalog)
            log.note(.ruleChanged, asker.person.id, at: now, "Verified minutes: productive apps")
            return PickerChange(before: before, after: stored(household))
        }
    }

    /// "Sync selection + timezone to backend": sends the saved selection, not the ticked one.
    func syncVerifiedSelection(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        do {
            let connection = try asker.household.verifiedConnection(of: asker.person.id)
            let failure = try await delivery.deliver(connection, of: asker.person)
            try desk.command { household, _, now in
                try household.noteSync(
                    asker.person.id,
                    SyncResult(
                        at: now, failure: failure, destination: asker.person.verified.destination))
            }
        } catch let refusal as Refusal {
            return try verifiedSelection(
                asker, status: .conflict, rejected: FormRejected(["sync": refusal.message]))
        }
        return desk.back(to: "/verified/selection", for: asker)
    }

    private func verifiedSelection(
        _ asker: Asker, refused: AppSelection? = nil, typed: String? = nil,
        status: HTTPResponse.Status = .unprocessableContent, view: PickerView = PickerView(),
        undo: PickerUndo? = nil, rejected: FormRejected? = nil
    ) throws -> Response {
        // A refused domain has no row of its own: it stays in the field.
        var shownSelection = refused
        if let typed, rejected?.reasons["domain"] != nil { shownSelection?.domains.remove(typed) }
        let shown = VerifiedSelectionPage(
            person: asker.person, catalog: desk.catalog, household: asker.household,
            selection: shownSelection,
            typedDomain: rejected?.reasons["domain"] == nil ? nil : typed, view: view, undo: undo,
            now: asker.now, zone: asker.zone,
            errors: rejected?.forPage ?? [:])
        return try desk.page(
            shown, for: asker, status: rejected == nil ? .ok : status, notices: rejected?.notices ?? [])
    }
}
