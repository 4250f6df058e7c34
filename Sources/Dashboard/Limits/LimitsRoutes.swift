import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/limits`: minutes a day, and changes of them that wait.
struct LimitsRoutes: Sendable {
    let desk: Desk
    private let removedLimits = RecentlyRemoved<UsageLimit>()

    /// Also without a login for the asking device's own person, who can then read it but not change it.
    func limitsPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let id = request.uri.queryParameters["removed"].flatMap { UUID(uuidString: String($0)) }
        let removed = id.flatMap { removedLimits.item($0, of: asker.person.id, at: desk.uptime()) }
        let isBack = removed.map { limit in asker.person.limits.list.contains { $0.target == limit.target } }
        return try limits(asker, removed: isBack == true ? nil : removed)
    }

    /// Adds a limit, or changes the minutes of an existing one (TH-006, TH-026).
    func saveLimit(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        do {
            let form = try LimitForm(fields)
            let applied = try changeLimits(of: asker.person.id) { household, person, now in
                try household.setLimit(
                    person, form.limit(id: UUID()), catalog: desk.catalog, change: UUID(), at: now)
            }
            return desk.back(to: "/limits", for: asker, done: DoneNotice(applied))
        } catch let refusal as Refusal where refusal.isAboutInput {
            return try refused(asker, fields, FormRejected([LimitField.of(refusal): refusal.message]))
        } catch let rejected as FormRejected {
            return try refused(asker, fields, rejected)
        }
    }

    /// Removes a limit; if that acts at once, it can be restored for some seconds.
    func removeLimit(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.posted(request, visit).asker
        let id = try visit.itemID
        let limit = asker.person.limits.list.first { $0.id == id }
        let applied = try changeLimits(of: asker.person.id) { household, person, now in
            try household.removeLimit(person, limit: id, change: UUID(), at: now)
        }
        guard applied == .now, let limit else { return desk.back(to: "/limits", for: asker, done: .waiting) }
        removedLimits.keep(limit, of: asker.person.id, at: desk.uptime())
        return desk.back(to: "/limits", for: asker, query: "removed=\(id.uuidString)")
    }

    /// Undo: restores the removed limit.
    func restoreLimit(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.posted(request, visit).asker
        let id = try visit.itemID
        guard let limit = removedLimits.item(id, of: asker.person.id, at: desk.uptime()) else {
            throw PageError(.conflict, "It was removed some time ago. Add the limit again.")
        }
        let applied = try changeLimits(of: asker.person.id) { household, person, now in
            try household.setLimit(person, limit, catalog: desk.catalog, change: UUID(), at: now)
        }
        return desk.back(to: "/limits", for: asker, done: DoneNotice(applied))
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
        _ asker: Asker, removed: UsageLimit? = nil, refused: LimitsPage.Refused? = nil,
        settings: LimitSettings? = nil,
        notices: [PageContext.Notice] = []
    ) throws -> Response {
        let shown = LimitsPage(
            household: asker.household, person: asker.person, catalog: desk.wholeCatalog(asker.household),
            usage: desk.feed.snapshot.usage, now: asker.now, showsUse: asker.seesUsage,
            removed: removed, refused: refused, settings: settings)
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
