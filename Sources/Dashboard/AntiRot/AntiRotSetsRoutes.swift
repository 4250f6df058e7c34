import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/anti-rot/sets`: apps with windows of their own. What a set has is chosen on the same pages as for the first set.
struct AntiRotSetsRoutes: Sendable {
    let desk: Desk
    private let removed = RecentlyRemoved<WindowSet>()

    func setsPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try desk.page(
            AntiRotSetsPage(
                person: asker.person, catalog: desk.wholeCatalog(asker.household),
                removed: request.queryID("removed").flatMap { lately($0, asker) }, now: asker.now,
                zone: asker.zone),
            for: asker)
    }

    func setPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try desk.page(
            AntiRotSetPage(
                person: asker.person, set: visit.windowSet(of: asker.person),
                catalog: desk.wholeCatalog(asker.household), now: asker.now, zone: asker.zone),
            for: asker)
    }

    /// Adds a set, which blocks nothing before it has apps and windows, and leads to it.
    func addSet(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let set = WindowSet(id: UUID(), name: fields.first("name") ?? "")
        do {
            try save(asker, fields) { household, log, now in
                try household.addWindowSet(asker.person.id, set)
                log.note(
                    .ruleChanged, asker.person.id, at: now, "Anti-Rot: set \(CleanName.cleaned(set.name))")
            }
        } catch let rejected as FormRejected {
            let shown = AntiRotSetsPage(
                person: asker.person, catalog: desk.wholeCatalog(asker.household), name: set.name,
                errors: rejected.forPage, now: asker.now, zone: asker.zone)
            return try desk.page(shown, for: asker, status: rejected.status, notices: rejected.notices)
        }
        return desk.back(to: SetPlace(set).base, for: asker)
    }

    func renameSet(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let set = try visit.windowSet(of: asker.person)
        let name = fields.first("name") ?? ""
        do {
            try save(asker, fields) { household, log, now in
                guard let id = set.id else { return }
                try household.renameWindowSet(asker.person.id, set: id, to: name)
                log.note(.ruleChanged, asker.person.id, at: now, "\(set.logged): name")
            }
        } catch let rejected as FormRejected {
            let shown = AntiRotSetPage(
                person: asker.person, set: set, catalog: desk.wholeCatalog(asker.household), name: name,
                errors: rejected.forPage, now: asker.now, zone: asker.zone)
            return try desk.page(shown, for: asker, status: rejected.status, notices: rejected.notices)
        }
        return desk.back(to: SetPlace(set).base, for: asker, done: .saved)
    }

    /// What only it blocked is open from then on, so this may wait. If it does not, the set can be restored for a while.
    func removeSet(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        let set = try visit.windowSet(of: asker.person)
        guard let id = set.id else { throw PageError(.notFound) }
        let applied = try desk.command { household, log, now in
            log.note(.ruleChanged, asker.person.id, at: now, "\(set.logged): removed")
            return try household.removeWindowSet(asker.person.id, set: id, change: UUID(), at: now)
        }
        guard applied == .now else { return desk.back(to: SetPlace(set).base, for: asker, done: .waiting) }
        removed.keep(set, of: asker.person.id, at: desk.uptime())
        return desk.back(to: "/anti-rot/sets", for: asker, query: "removed=\(id.uuidString)")
    }

    /// Undo: the set is as it was before it was removed.
    func restoreSet(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        guard let id = visit.parameters.get("set").flatMap({ UUID(uuidString: String($0)) }),
            let set = lately(id, asker)
        else { throw PageError(.conflict, "It was removed some time ago. Add it again by hand.") }
        try desk.command { household, log, now in
            try household.addWindowSet(asker.person.id, set)
            log.note(.ruleChanged, asker.person.id, at: now, "\(set.logged): restored")
        }
        return desk.back(to: "/anti-rot/sets", for: asker, done: .undone)
    }

    /// The set that the person removed last, if that is not long ago and it is not back.
    private func lately(_ id: UUID, _ asker: Asker) -> WindowSet? {
        guard asker.person.antiRot[set: id] == nil else { return nil }
        return removed.item(id, of: asker.person.id, at: desk.uptime())
    }

    /// Runs a rule about a set's name; a refused name is an error beside its field.
    private func save(
        _ asker: Asker, _ fields: FormFields, _ rule: (inout Household, inout [LogEntry], Date) throws -> Void
    ) throws {
        var reading = FormReading(fields)
        _ = reading.optional("name")
        try reading.finish()
        do {
            try desk.command { household, log, now in try rule(&household, &log, now) }
        } catch let refusal as Refusal where refusal.isAboutInput {
            throw FormRejected(["name": refusal.message])
        }
    }
}
