import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/limits`: minutes a day, and changes of them that wait.
struct LimitsRoutes: Sendable {
    let desk: Desk
    private let changes = RecentlyRemoved<LimitChange>()

    /// Also without a login for the asking device's own person, who can then read it but not change it.
    func limitsPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let id = request.queryID("undo")
        return try limits(asker, undo: id.flatMap { latest($0, asker) })
    }

    /// Adds a limit, or changes the minutes of an existing one.
    func saveLimit(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let target = LimitForm.target(fields)
        do {
            let limit = try LimitForm(fields).limit(id: UUID())
            return try change(limit.target, asker) { household, person, now in
                try household.setLimit(person, limit, catalog: desk.catalog, change: UUID(), at: now)
            }
        } catch let refusal as Refusal where refusal.isAboutInput {
            return try refused(asker, fields, FormRejected([LimitField.of(refusal): refusal.message]))
        } catch let rejected as FormRejected {
            return try refused(asker, fields, rejected)
        } catch let error as StoreError
            where !asker.person.limits.list.contains(where: { $0.target == target })
        {
            return try refused(asker, fields, FormRejected(unsaved: error))
        }
    }

    /// Removes a limit.
    func removeLimit(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.posted(request, visit).asker
        let id = try visit.itemID
        guard let limit = asker.person.limits.list.first(where: { $0.id == id }) else {
            throw Refusal.unknownLimit
        }
        return try change(limit.target, asker) { household, person, now in
            try household.removeLimit(person, limit: id, change: UUID(), at: now)
        }
    }

    /// Adds, changes or removes the limit of a target. A change that acts at once can be undone for a while. If
    /// loosening must wait, no undo is offered, as in `PickerChanges`.
    private func change(
        _ target: LimitTarget, _ asker: Asker, _ rule: (inout Household, PersonID, Date) throws -> Applied
    ) throws -> Response {
        let (change, applied) = try changeLimits(of: asker.person.id) { household, person, now in
            let before = household[person: person]?.limit(of: target)
            let applied = try rule(&household, person, now)
            return (
                LimitChange(target, from: before, to: household[person: person]?.limit(of: target)), applied
            )
        }
        guard applied == .now, asker.person.looseningDelay == 0, let change else {
            return desk.back(to: "/limits", for: asker, done: DoneNotice(applied))
        }
        changes.keep(change, of: asker.person.id, at: desk.uptime())
        return desk.back(to: "/limits", for: asker, query: "undo=\(change.id.uuidString)")
    }

    /// The person's last change, if it is about this limit, not long ago, and still how things are.
    private func latest(_ id: UUID, _ asker: Asker) -> LimitChange? {
        changes.item(id, of: asker.person.id, at: desk.uptime()).flatMap {
            $0.isLatest(of: asker.person) ? $0 : nil
        }
    }

    /// Undo: the limit is as it was before it was added, changed or removed.
    func restoreLimit(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.posted(request, visit).asker
        let id = try visit.itemID
        guard let change = latest(id, asker) else {
            throw PageError(.conflict, "It was saved some time ago. Change it back by hand.")
        }
        let applied = try changeLimits(of: asker.person.id) { household, person, now in
            guard let before = change.before else {
                return try household.removeLimit(person, limit: id, change: UUID(), at: now)
            }
            return try household.setLimit(person, before, catalog: desk.catalog, change: UUID(), at: now)
        }
        return desk.back(to: "/limits", for: asker, done: applied == .now ? .undone : DoneNotice(applied))
    }

    /// "Cancel change": drops a waiting change.
    func dropLimitChange(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.posted(request, visit).asker
        let id = try visit.itemID
        guard asker.person.pending.contains(where: { $0.id == id }) else {
            throw PageError(.conflict, "This change is not waiting any more.")
        }
        try changeLimits(of: asker.person.id) { household, person, _ in
            try household.dropPending(person, change: id)
        }
        return desk.back(to: "/limits", for: asker, done: .kept)
    }

    /// Opens or closes VPN sites and encrypted DNS for a child, `open` being `on` or absent.
    func openWaysOut(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let isOpen = reading.isOn("open")
        try reading.finish()
        try desk.command { household, _, now in
            try household.openWaysOut(of: asker.person.id, isOpen, at: now)
        }
        return desk.back(to: "/limits", for: asker, done: .saved)
    }

    /// Runs one rule about limits as one transaction.
    @discardableResult
    func changeLimits<T>(
        of person: PersonID, _ rule: (inout Household, PersonID, Date) throws -> T
    ) throws -> T {
        try desk.command { household, log, now in
            let result = try rule(&household, person, now)
            log.note(.ruleChanged, person, at: now, "Limits")
            return result
        }
    }

    func limits(
        _ asker: Asker, undo: LimitChange? = nil, refused: LimitsPage.Refused? = nil,
        settings: LimitSettings? = nil,
        notices: [PageContext.Notice] = []
    ) throws -> Response {
        let shown = LimitsPage(
            household: asker.household, person: asker.person, catalog: desk.wholeCatalog(asker.household),
            usage: desk.feed.snapshot.usage, now: asker.now, showsUse: asker.seesUsage,
            device: asker.ownDevice,
            undo: undo, refused: refused, settings: settings)
        let isRefused = refused != nil || settings != nil
        return try desk.page(
            shown, for: asker, status: isRefused ? .unprocessableContent : .ok, notices: notices)
    }

    /// Shows the errors beside the limit that the form was about, or on the page for a new one.
    private func refused(_ asker: Asker, _ fields: FormFields, _ rejected: FormRejected) throws -> Response {
        let (target, typed) = (LimitForm.target(fields), LimitForm.typed(fields))
        if let target, let limit = asker.person.limits.list.first(where: { $0.target == target }) {
            return try limits(
                asker, refused: .init(limit: limit.id, typed: typed, errors: rejected.forPage),
                notices: rejected.notices)
        }
        return try newLimit(asker, target: target, typed: typed, rejected: rejected)
    }
}

/// The field of a limit that a refusal is about.
private enum LimitField {
    static func of(_ refusal: Refusal) -> String {
        switch refusal {
        case .limitOutOfRange: "minutes"
        case .weeklyOutOfRange: "weekly"
        default: "target"
        }
    }
}
