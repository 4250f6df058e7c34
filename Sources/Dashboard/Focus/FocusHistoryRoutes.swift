import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/focus/history` and its changes.
struct FocusHistoryRoutes: Sendable {
    let desk: Desk
    private let removedSessions = RecentlyRemoved<FocusSession>()

    /// One page of the list, with the totals of the last weeks; also without a login for the device's own person.
    func focusHistoryPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let query = request.uri.queryParameters
        let removed = request.queryID("removed")
            .flatMap { removedSessions.item($0, of: asker.person.id, at: desk.uptime()) }
        let added = query["added"].flatMap { FormReading.wholeNumber(String($0)) }
        let known = query["known"].flatMap { FormReading.wholeNumber(String($0)) } ?? 0
        return try focusHistory(
            asker, after: query["after"].flatMap { FocusCursor($0) }, removed: removed,
            notices: added.map { [Self.importNotice(added: $0, known: known)] } ?? [])
    }

    /// Removes a session from the history; it can be restored for some seconds.
    func removeFocusSession(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, cursor, id) = try await pressed(request, visit)
        guard let session = try desk.store.removeFocusSession(id, of: asker.person.id) else {
            throw PageError(.conflict, "This session is not in the history any more.")
        }
        removedSessions.keep(session, of: asker.person.id, at: desk.uptime())
        return desk.back(
            to: "/focus/history", for: asker, query: Self.place(cursor, "removed=\(id.uuidString)"))
    }

    /// Undo: restores the session.
    func restoreFocusSession(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, cursor, id) = try await pressed(request, visit)
        guard let session = removedSessions.item(id, of: asker.person.id, at: desk.uptime()) else {
            throw PageError(.conflict, "It was deleted some time ago and cannot be had back.")
        }
        _ = try desk.store.addFocusSessions([session], of: asker.person.id)
        return desk.back(to: "/focus/history", for: asker, query: Self.place(cursor))
    }

    /// Who pressed a session's button, where the list was, and which session it is.
    private func pressed(
        _ request: Request, _ visit: Visit
    ) async throws -> (asker: Asker, cursor: FocusCursor?, id: UUID) {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let cursor = reading.optional("after").flatMap { FocusCursor($0) }
        try reading.finish()
        return (asker, cursor, try visit.itemID)
    }

    /// The query that leads back to the list's position.
    private static func place(_ cursor: FocusCursor?, _ said: String? = nil) -> String? {
        let parts = [said, cursor.map { "after=\($0.text)" }].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "&")
    }

    func focusHistory(
        _ asker: Asker, after cursor: FocusCursor? = nil, removed: FocusSession? = nil,
        importError: PageError? = nil, notices: [PageContext.Notice] = []
    ) throws -> Response {
        let size = FocusHistoryPage.pageSize
        let found = try desk.store.focusSessions(of: asker.person.id, after: cursor, limit: size + 1)
        let zone = asker.household.zone
        let today = zone.date(of: asker.now)
        let recent = try desk.store.focusSessions(
            of: asker.person.id, from: zone.dayStart(today.adding(days: -7 * 12)),
            to: zone.dayStart(today.adding(days: 1)))
        // A restored session is in the list again.
        let isBack = removed.map { gone in found.contains { $0.id == gone.id } } ?? false
        let shown = FocusHistoryPage(
            .init(Array(found.prefix(size)), after: cursor, hasOlder: found.count > size),
            days: FocusTotals.days(recent, upTo: today, count: 14, in: zone),
            weeks: FocusTotals.weeks(recent, upTo: today, count: 12, in: zone), today: today,
            person: asker.namesPerson ? asker.person.id : nil, removed: isBack ? nil : removed,
            importError: importError?.reason, zone: asker.zone)
        return try desk.page(shown, for: asker, status: importError?.status ?? .ok, notices: notices)
    }
}
