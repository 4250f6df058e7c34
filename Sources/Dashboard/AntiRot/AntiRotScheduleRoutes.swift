import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/anti-rot/schedule`: the windows themselves.
struct AntiRotScheduleRoutes: Sendable {
    let desk: Desk
    /// As they were before they were removed or changed.
    private let formerWindows = RecentlyRemoved<TimeWindow>()

    func antiRotSchedulePage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        func lately(_ id: UUID?) -> TimeWindow? {
            id.flatMap { formerWindows.item($0, of: asker.person.id, at: desk.uptime()) }
        }
        let editing = request.queryID("edit").flatMap { id in
            asker.person.plannedWindows?.first { $0.id == id }
        }
        return try desk.page(
            AntiRotSchedulePage(
                person: asker.person, editing: editing, removed: lately(request.queryID("removed")),
                changed: lately(request.queryID("changed")),
                dates: DateList(ifAny: asker.household, of: asker.person.id, on: .windows, at: asker.now),
                now: asker.now, zone: asker.zone),
            for: asker)
    }

    /// Adds a window.
    func addWindow(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saveWindow(request, visit) { [$0.window] }
    }

    /// Adds the two windows that replace one across midnight.
    func addSplitWindow(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saveWindow(request, visit, \.splitAtMidnight)
    }

    /// Gives a window other times, days or another label.
    func changeWindow(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saveWindow(request, visit, former: try visit.itemID) { [$0.window] }
    }

    /// Puts the two windows that replace one across midnight in the place of the window that was to become it.
    func changeSplitWindow(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saveWindow(request, visit, former: try visit.itemID, \.splitAtMidnight)
    }

    /// The last window needs a second step; a removed one can be restored for a while.
    func removeWindow(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let isConfirmed = try Self.confirmsEmpty(fields)
        let id = visit.pathID
        guard let window = asker.person.antiRot.windows?.first(where: { $0.id == id }) else {
            throw Refusal.unknownWindow
        }
        do {
            try desk.command { household, log, now in
                _ = try household.removeWindow(
                    asker.person.id, window: window.id, confirmed: isConfirmed, change: UUID(), at: now)
                log.note(.ruleChanged, asker.person.id, at: now, "Anti-Rot: without \(window.logged)")
            }
        } catch Refusal.emptyScheduleUnconfirmed {
            return try desk.page(AntiRotEmptyPage(deleting: window), for: asker)
        }
        formerWindows.keep(window, of: asker.person.id, at: desk.uptime())
        return desk.back(to: "/anti-rot/schedule", for: asker, query: "removed=\(window.id.uuidString)")
    }

    /// Saves a schedule without windows, which blocks all day, after a second step.
    func clearWindows(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        guard try Self.confirmsEmpty(fields) else { return try desk.page(AntiRotEmptyPage(), for: asker) }
        let applied = try desk.command { household, log, now in
            log.note(.ruleChanged, asker.person.id, at: now, "Anti-Rot: no windows")
            return try household.saveWindows(
                asker.person.id, [], confirmed: true, change: UUID(), at: now)
        }
        return desk.back(to: "/anti-rot/schedule", for: asker, done: DoneNotice(applied))
    }

    /// Whether a form is the second step towards a schedule without windows.
    private static func confirmsEmpty(_ fields: FormFields) throws -> Bool {
        var reading = FormReading(fields)
        let isConfirmed = reading.optional("confirm") == "empty"
        try reading.finish()
        return isConfirmed
    }

    /// Adds windows, or puts them in the place of a former one. Shows overlaps and windows across midnight as errors
    /// beside the field, and keeps the input.
    ///
    /// A change that acts at once can be taken back for a while; what waits (`LooseningGuard`) says how to take it back.
    private func saveWindow(
        _ request: Request, _ visit: Visit, former id: UUID? = nil, _ windows: (WindowForm) -> [TimeWindow]
    ) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let former = try id.map { id in
            guard let window = asker.person.plannedWindows?.first(where: { $0.id == id }) else {
                throw Refusal.unknownWindow
            }
            return window
        }
        do {
            let saved = windows(try WindowForm(fields, id: id ?? UUID()))
            let applied = try desk.command { household, log, now in
                for window in saved {
                    log.note(.ruleChanged, asker.person.id, at: now, "Anti-Rot: \(window.logged)")
                }
                return try household.saveWindows(
                    asker.person.id, saved, inPlaceOf: id, change: UUID(), at: now)
            }
            guard let former, saved.count == 1, applied == .now, asker.person.looseningDelay == 0 else {
                return desk.back(to: "/anti-rot/schedule", for: asker, done: DoneNotice(applied))
            }
            formerWindows.keep(former, of: asker.person.id, at: desk.uptime())
            return desk.back(to: "/anti-rot/schedule", for: asker, query: "changed=\(former.id.uuidString)")
        } catch let refusal as Refusal where refusal.isAboutInput {
            let rejected = FormRejected([WindowForm.field(of: refusal): refusal.message(in: ClockFace.style)])
            guard case .windowCrossesMidnight = refusal, let form = try? WindowForm(fields) else {
                return try refused(rejected, fields, asker, editing: former)
            }
            return try refused(rejected, fields, asker, parts: form.splitAtMidnight, editing: former)
        } catch let rejected as FormRejected {
            return try refused(rejected, fields, asker, editing: former)
        } catch let error as StoreError {
            return try refused(FormRejected(unsaved: error), fields, asker, editing: former)
        }
    }

    private func refused(
        _ rejected: FormRejected, _ fields: FormFields, _ asker: Asker, parts: [TimeWindow] = [],
        editing: TimeWindow? = nil
    ) throws -> Response {
        let shown = AntiRotSchedulePage(
            person: asker.person, values: WindowForm.values(fields), errors: rejected.forPage, parts: parts,
            editing: editing, now: asker.now, zone: asker.zone)
        return try desk.page(shown, for: asker, status: rejected.status, notices: rejected.notices)
    }
}
