import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/anti-rot/schedule`: the windows themselves; of another set below `/anti-rot/sets/{set}`.
struct AntiRotScheduleRoutes: Sendable {
    let desk: Desk
    /// As they were before they were removed or changed.
    private let formerWindows = RecentlyRemoved<TimeWindow>()

    func antiRotSchedulePage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        func lately(_ id: UUID?) -> TimeWindow? {
            id.flatMap { formerWindows.item($0, of: asker.person.id, at: desk.uptime()) }
        }
        let set = try visit.windowSet(of: asker.person)
        let editing = request.queryID("edit").flatMap { id in
            asker.person.plannedWindows(of: set.id)?.first { $0.id == id }
        }
        return try desk.page(
            AntiRotSchedulePage(
                person: asker.person, set: set, editing: editing, removed: lately(request.queryID("removed")),
                changed: lately(request.queryID("changed")),
                dates: DateList(ifAny: asker.household, of: asker.person.id, on: .windows, at: asker.now),
                now: asker.now, zone: asker.zone),
            for: asker)
    }

    /// Adds a window.
    func addWindow(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saveWindow(request, visit)
    }

    /// Gives a window other times, days or another label.
    func changeWindow(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saveWindow(request, visit, former: try visit.itemID)
    }

    /// The last window needs a second step; a removed one can be restored for a while.
    func removeWindow(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let isConfirmed = try Self.confirmsEmpty(fields)
        let id = visit.pathID
        let set = try visit.windowSet(of: asker.person)
        guard let window = set.windows?.first(where: { $0.id == id }) else {
            throw Refusal.unknownWindow
        }
        do {
            try desk.command { household, log, now in
                _ = try household.removeWindow(
                    asker.person.id, of: set.id, window: window.id, confirmed: isConfirmed, change: UUID(),
                    at: now)
                log.note(.ruleChanged, asker.person.id, at: now, "\(set.logged): without \(window.logged)")
            }
        } catch Refusal.emptyScheduleUnconfirmed {
            return try desk.page(AntiRotEmptyPage(deleting: window, of: set), for: asker)
        }
        formerWindows.keep(window, of: asker.person.id, at: desk.uptime())
        return desk.back(
            to: "\(SetPlace(set).base)/schedule", for: asker, query: "removed=\(window.id.uuidString)")
    }

    /// Saves a schedule without windows, which blocks all day, after a second step.
    func clearWindows(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let set = try visit.windowSet(of: asker.person)
        guard try Self.confirmsEmpty(fields) else {
            return try desk.page(AntiRotEmptyPage(of: set), for: asker)
        }
        let applied = try desk.command { household, log, now in
            log.note(.ruleChanged, asker.person.id, at: now, "\(set.logged): no windows")
            return try household.saveWindows(
                asker.person.id, [], of: set.id, confirmed: true, change: UUID(), at: now)
        }
        return desk.back(to: "\(SetPlace(set).base)/schedule", for: asker, done: DoneNotice(applied))
    }

    /// Whether a form is the second step towards a schedule without windows.
    private static func confirmsEmpty(_ fields: FormFields) throws -> Bool {
        var reading = FormReading(fields)
        let isConfirmed = reading.optional("confirm") == "empty"
        try reading.finish()
        return isConfirmed
    }

    /// Adds a window, or puts it in the place of a former one. Shows an overlap as an error beside the field, and keeps the
    /// input.
    ///
    /// A change that acts at once can be taken back for a while; what waits (`LooseningGuard`) says how to take it back.
    private func saveWindow(
        _ request: Request, _ visit: Visit, former id: UUID? = nil
    ) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let set = try visit.windowSet(of: asker.person)
        let path = "\(SetPlace(set).base)/schedule"
        let former = try id.map { id in
            guard let window = asker.person.plannedWindows(of: set.id)?.first(where: { $0.id == id }) else {
                throw Refusal.unknownWindow
            }
            return window
        }
        do {
            let window = try WindowForm(fields, id: id ?? UUID()).window
            let applied = try desk.command { household, log, now in
                log.note(.ruleChanged, asker.person.id, at: now, "\(set.logged): \(window.logged)")
                return try household.saveWindow(
                    asker.person.id, window, of: set.id, inPlaceOf: id, change: UUID(), at: now)
            }
            guard let former, applied == .now, asker.person.looseningDelay == 0 else {
                return desk.back(to: path, for: asker, done: DoneNotice(applied))
            }
            formerWindows.keep(former, of: asker.person.id, at: desk.uptime())
            return desk.back(to: path, for: asker, query: "changed=\(former.id.uuidString)")
        } catch let refusal as Refusal where refusal.isAboutInput {
            let rejected = FormRejected([WindowForm.field(of: refusal): refusal.message(in: ClockFace.style)])
            return try refused(rejected, fields, set, asker, editing: former)
        } catch let rejected as FormRejected {
            return try refused(rejected, fields, set, asker, editing: former)
        } catch let error as StoreError {
            return try refused(FormRejected(unsaved: error), fields, set, asker, editing: former)
        }
    }

    private func refused(
        _ rejected: FormRejected, _ fields: FormFields, _ set: WindowSet, _ asker: Asker,
        editing: TimeWindow? = nil
    ) throws -> Response {
        let shown = AntiRotSchedulePage(
            person: asker.person, set: set, values: WindowForm.values(fields), errors: rejected.forPage,
            editing: editing, now: asker.now, zone: asker.zone)
        return try desk.page(shown, for: asker, status: rejected.status, notices: rejected.notices)
    }
}
