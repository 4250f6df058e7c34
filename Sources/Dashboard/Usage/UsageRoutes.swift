import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/usage` and `/widget`: minutes of one person.
struct UsageRoutes: Sendable {
    let desk: Desk

    /// Minutes, charts and bent rules of one person.
    func usagePage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit, evenUnconfirmed: true)
        guard asker.seesUsage else {
            let isOwn = asker.device?.person == asker.person.id
            let shown = UsageHiddenPage(who: asker.person.name, isOwn: isOwn)
            return try desk.page(shown, for: asker, status: .forbidden)
        }
        let today = asker.household.zone.date(of: asker.now)
        let catalog = desk.catalog.adding(asker.household.ownApps)
        let app = request.uri.queryParameters["app"].flatMap { catalog.app(id: String($0)) }
        let date = Self.day(request.uri.queryParameters["date"].map(String.init), today: today)
        let report = try usageReport(
            of: asker, on: date, app: app?.id, today: today, in: catalog)
        let since = asker.household.zone.dayStart(today.adding(days: -27))
        let past = try desk.store.pastSessions(of: asker.person.id, limit: 200).filter { $0.endsAt >= since }
        let named = asker.namesPerson ? "&person=\(asker.person.id.rawValue)" : ""
        let shown = UsagePage(
            report: report, app: app, catalog: catalog, of: asker.person,
            isAlone: asker.household.members.count == 1,
            today: today, clock: ClockFace(zone: asker.zone),
            nights: NightsCalendar(past, in: asker.household.zone, today: today),
            bends: try bends(of: asker.person.id, since: since)
        ) { date, app in
            "/usage?date=\(date)" + (app.map { "&app=\($0.queryEscaped)" } ?? "") + named
        }
        return try desk.page(shown, for: asker)
    }

    private static func day(_ text: String?, today: CivilDate) -> CivilDate {
        text.flatMap(CivilDate.init).flatMap { usageDays(until: today).contains($0) ? $0 : nil } ?? today
    }

    /// The four weeks that pages and programs can see.
    static func usageDays(until today: CivilDate) -> ClosedRange<CivilDate> {
        today.adding(days: -27)...today
    }
}

extension Asker {
    /// Whether the asker may see the use of the page's person.
    var seesUsage: Bool { seesUsage(of: person) }

    /// Only the adult may see an adult's usage, on their own devices (design.md, Trust). A child's, and that of the
    /// only person, can be seen with the passcode or a token, as can that of the family's devices.
    func seesUsage(of person: Person) -> Bool {
        if let device, device.person == person.id, device.isConfirmed { return true }
        return isTrusted && (person.role != .adult || household.members.count == 1)
    }
}
