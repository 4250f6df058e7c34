import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Policy
import Store

/// `/health`, `/healthz` and `/metrics`: how the server is doing.
struct HealthRoutes: Sendable {
    let desk: Desk
    let condition: any ServerCondition
    let look: @Sendable () async -> Void
    let counters: RequestCounters

    /// 503 until the filter is compiled and every bind was tried; then 200, with the refused binds. Of several
    /// machines it names the machine that answers.
    func healthz(_ request: Request, _ visit: Visit) -> Response {
        let json = JSONValue.object(
            [
                ("status", .string(condition.isReady ? "ok" : "starting")),
                ("refused", .array(condition.refused.map { .string($0) })),
            ]
                + (condition.node.map { node in
                    [("node", .string(node)), ("cutOff", .bool(desk.store.cutOffReason != nil))]
                } ?? []))
        return .json(json, status: condition.isReady ? .ok : .serviceUnavailable)
    }

    /// `/health`: all notices for the owner; without a login, those about the asking person's own devices.
    func healthPage(_ request: Request, _ visit: Visit) async throws -> Response {
        if try desk.asker(request, visit).isSignedIn { await look() }
        let asker = try desk.asker(request, visit)
        let devices = asker.household.devices.filter { $0.person == asker.person.id }.map(\.id)
        let shown = HealthPage(
            desk.store.notices, devices: Set(devices),
            machines: condition.machines?.lines(at: asker.now) ?? [],
            isOwner: asker.isSignedIn, now: asker.now, zone: asker.zone)
        return try desk.page(shown, for: asker)
    }

    /// "Not today": puts the notice away, and leads back to the same page.
    func putNoticeAway(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let notice = reading.required("notice", Refusal.unknownNotice.message) ?? ""
        let isHome = reading.optional("from") == "home"
        try reading.finish()
        // If it is already in order again, there is nothing to put away.
        do { try desk.store.putAwayNotice(notice, at: asker.now) } catch Refusal.unknownNotice {}
        return desk.back(to: isHome ? "/" : "/health", for: asker)
    }

    /// Prometheus' text format; needs a login or a bearer token.
    func metrics(_ request: Request, _ visit: Visit) throws -> Response {
        guard visit.credential != nil else {
            throw PageError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        }
        let household = desk.store.household
        let now = desk.clock.now()
        var lines: [String] = []
        func gauge(_ name: String, _ help: String, _ value: Int) {
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) gauge", "\(name) \(value)"]
        }
        gauge("sleep_inducer_viewers", "Open event streams.", desk.feed.viewers.total)
        gauge("sleep_inducer_revision", "Snapshots since the start.", desk.feed.snapshot.revision)
        gauge("sleep_inducer_devices", "Known devices.", household.devices.count)
        gauge(
            "sleep_inducer_devices_enrolled", "Devices that belong to somebody.",
            household.devices.count { $0.isSomebodys })
        gauge(
            "sleep_inducer_sessions", "Sleep sessions that run.",
            household.people.count { $0.running(at: now) != nil })
        lines += ["# HELP sleep_inducer_http_requests_total Answered requests by class of status."]
        lines += ["# TYPE sleep_inducer_http_requests_total counter"]
        for (digit, count) in counters.byClass {
            lines.append("sleep_inducer_http_requests_total{code=\"\(digit)xx\"} \(count)")
        }
        let more = condition.metrics
        if !more.isEmpty { lines.append(more) }
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: lines.joined(separator: "\n") + "\n")))
    }
}
