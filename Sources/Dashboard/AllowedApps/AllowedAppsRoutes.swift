import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// What stays open at night: `/allowed-apps` and its forms.
struct AllowedAppsRoutes: Sendable {
    let desk: Desk
    private let changes = PickerChanges()

    func allowedAppsPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try allowedApps(
            asker, view: PickerView(request), undo: changes.offer(request, asker, desk))
    }

    /// Saves the whole selection on every change.
    func saveAllowedApps(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let picked = PickedSelection(&reading)
        var change: PickerChange?
        return try await saving(
            asker, fields, &reading, on: "/allowed-apps", picked: picked.ticked,
            field: AllowedAppsField.selection,
            query: { change.flatMap { changes.keep($0, picked, asker, desk) } },
            rule: { household, now in
                let stored = household[person: asker.person.id]?.allowed ?? AppSelection()
                let new = picked.applied(to: stored, catalog: desk.wholeCatalog(household))
                try household.saveAllowed(asker.person.id, new, catalog: desk.catalog)
                change = PickerChange(
                    before: stored, after: household[person: asker.person.id]?.allowed ?? AppSelection())
            })
    }

    /// Undo: what was before the last save, exactly.
    func undoAllowedApps(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let change = try changes.taken(fields, asker, desk)
        try desk.command { household, log, now in
            let stored = household[person: asker.person.id]?.allowed ?? AppSelection()
            try household.saveAllowed(
                asker.person.id, stored.changed(from: change.after, to: change.before),
                catalog: desk.catalog)
            log.note(.ruleChanged, asker.person.id, at: now, "Allowed apps")
        }
        return desk.back(
            to: "/allowed-apps", for: asker, done: .undone, query: PickerView(fields).query)
    }

    /// Allows "Sleep sounds", "On call" or the starting set with one tap; leads back to the page that warned.
    func allowSet(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let set = reading.optional("set").flatMap(AllowedSet.init)
        if set == nil { reading.refuse("app", "There is no such set.") }
        let origin = reading.optional("from").flatMap(NothingAllowed.Origin.init)
        let saved = try await saving(
            asker, fields, &reading, on: origin == .session ? "/session" : "/allowed-apps",
            field: AllowedAppsField.selection
        ) {
            household, now in
            guard let set else { return }
            try household.allow(set, for: asker.person.id, catalog: desk.catalog)
        }
        guard origin == .household, saved.status == .seeOther else { return saved }
        return desk.back(to: "/household", done: .saved, query: HouseholdRoutes.viewed(request))
    }

    /// Adds an app of the household, with a name and one or more domains.
    func addOwnApp(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let name = reading.optional("name") ?? ""
        let typed = reading.many("domains") + reading.many("domain")
        let domains = typed.flatMap { $0.split { ",; \n\r\t".contains($0) } }.map(String.init)
        return try await saving(asker, fields, &reading, on: "/allowed-apps", field: AllowedAppsField.ownApp)
        {
            household, now in
            try household.addOwnApp(name: name, domains: domains, catalog: desk.catalog, at: now)
        }
    }

    func removeOwnApp(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        let id = visit.parameters.get("id") ?? ""
        try desk.command { household, _, _ in try household.removeOwnApp(id) }
        return desk.back(to: "/allowed-apps", for: asker, done: .removed)
    }

    /// The optional always-reachable entries that stay on.
    func saveReachable(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let on = Set(reading.many("reachable").filter { !$0.isEmpty })
        let known = Set(desk.catalog.alwaysReachable.map(\.id))
        if let stranger = on.subtracting(known).min() { reading.refuse("reachable", .unknownIDs([stranger])) }
        let off = Set(desk.catalog.alwaysReachable.filter { $0.isOptional && !on.contains($0.id) }.map(\.id))
        return try await saving(
            asker, fields, &reading, on: "/allowed-apps", field: AllowedAppsField.reachable
        ) {
            household, now in
            try household.setUnreachable(off, catalog: desk.catalog, at: now)
        }
    }

    private func allowedApps(
        _ asker: Asker, _ fields: FormFields? = nil, picked: AppSelection? = nil,
        _ rejected: FormRejected? = nil, view: PickerView = PickerView(), undo: PickerUndo? = nil
    ) throws -> Response {
        let typed = fields.map { fields in
            ["domain", "name", "domains"].reduce(into: [:]) { $0[$1] = fields.all($1).last }
        }
        // A refused domain has no row of its own: it stays in the field.
        var ticked = picked ?? asker.person.allowed
        if let domain = typed?["domain"], rejected?.reasons["domain"] != nil { ticked.domains.remove(domain) }
        let shown = AllowedAppsPage(
            catalog: desk.catalog, household: asker.household, selection: ticked,
            isSessionRunning: asker.isSessionRunning, view: fields.map { PickerView($0) } ?? view, undo: undo,
            typed: typed ?? [:], errors: rejected?.forPage ?? [:])
        return try desk.page(
            shown, for: asker, status: rejected == nil ? .ok : .unprocessableContent,
            notices: rejected?.notices ?? [])
    }

    /// Runs a rule of this page, and shows a refusal of the input beside its field.
    private func saving<T>(
        _ asker: Asker, _ fields: FormFields, _ reading: inout FormReading, on path: String,
        picked: AppSelection? = nil, field: (Refusal) -> String, query: () -> String? = { nil },
        rule: (inout Household, Date) throws -> T
    ) async throws -> Response {
        do {
            try reading.finish()
            try desk.command { household, log, now in
                _ = try rule(&household, now)
                log.note(.ruleChanged, asker.person.id, at: now, "Allowed apps")
            }
        } catch let refusal as Refusal where refusal.isAboutInput {
            return try allowedApps(
                asker, fields, picked: picked, FormRejected([field(refusal): refusal.message]))
        } catch let rejected as FormRejected {
            return try allowedApps(asker, fields, picked: picked, rejected)
        }
        return desk.back(to: path, for: asker, done: .saved, query: query())
    }
}

/// The field that a refusal is about.
private enum AllowedAppsField {
    static func selection(_ refusal: Refusal) -> String {
        if case .unknownIDs = refusal { return "app" }
        return "domain"
    }

    static func reachable(_ refusal: Refusal) -> String { "reachable" }

    static func ownApp(_ refusal: Refusal) -> String {
        switch refusal {
        case .nameMissing, .nameTooLong: "name"
        default: "domains"
        }
    }
}
