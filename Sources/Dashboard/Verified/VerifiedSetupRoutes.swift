import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/verified/setup`: where verified minutes are sent.
struct VerifiedSetupRoutes: Sendable {
    let desk: Desk
    let arrivals: Arrivals

    func verifiedSetupPage(_ request: Request, _ visit: Visit) throws -> Response {
        try verifiedSetup(try desk.asker(request, visit))
    }

    /// "Save": the server for uploads and its token. An empty address means this server; an empty
    /// token keeps the token that is stored for the same address.
    func saveVerifiedCredentials(_ request: Request, _ visit: Visit) async throws -> Response {
        let fields = try await desk.form(request, visit, maximumValue: AccessToken.maximum + 64)
        let asker = try desk.asker(request, visit, fields)
        var reading = FormReading(fields)
        let typed = (reading.optional("baseURL") ?? "").trimmingCharacters(in: .whitespaces)
        let token = (reading.optional("accessToken") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        do {
            let server = try reading.server(typed)
            let checked = try reading.token(token)
            if let server, token.isEmpty,
                try desk.store.outboundToken(of: asker.person.id, for: server) == nil
            {
                reading.refuse("accessToken", .accessTokenMissing)
            }
            if typed.isEmpty, !token.isEmpty {
                reading.refuse("baseURL", "Enter the address that the token is for.")
            }
            try reading.finish()
            if let server, let checked {
                try desk.store.setOutboundToken(checked, of: asker.person.id, for: server)
            }
            if server == nil { try desk.store.removeOutboundToken(of: asker.person.id) }
            try desk.command { household, log, now in
                try household.setVerifiedServer(asker.person.id, to: server)
                log.note(.ruleChanged, asker.person.id, at: now, "Verified minutes: where they go")
            }
        } catch let rejected as FormRejected {
            return try verifiedSetup(asker, typed: typed, rejected: rejected)
        }
        return desk.back(to: "/verified/setup", for: asker, done: .saved)
    }

    /// Removes the stored token, so that nothing can be sent.
    func forgetVerifiedToken(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        try desk.store.removeOutboundToken(of: asker.person.id)
        return desk.back(to: "/verified/setup", for: asker, done: .removed)
    }

    /// "Request Screen Time access": the one grant that there is. The gate is passed already, so this only
    /// enrolls the asking device if it belongs to no person; then its use is measured.
    func requestScreenTime(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        if asker.device?.person == nil {
            let newcomer = try arrivals.newcomer(at: visit.address)
            try desk.command { household, log, now in
                let device = household.welcome(newcomer, at: now)
                try household.assign(device, to: asker.person.id, at: now)
                log.note(.deviceEnrolled, asker.person.id, device, at: now)
            }
        }
        return desk.back(to: "/verified/setup", for: asker, done: .enrolled)
    }

    func saveVerifiedTimeZone(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let zone = reading.optional("timeZone") ?? ""
        do {
            try reading.finish()
            try desk.command { household, log, now in
                try household.setVerifiedTimeZone(asker.person.id, to: zone.isEmpty ? nil : zone)
                log.note(.ruleChanged, asker.person.id, at: now, "Verified minutes: time zone")
            }
        } catch let refusal as Refusal where refusal.isAboutInput {
            return try verifiedSetup(asker, rejected: FormRejected(["timeZone": refusal.message]))
        } catch let rejected as FormRejected {
            return try verifiedSetup(asker, rejected: rejected)
        }
        return desk.back(to: "/verified/setup", for: asker, done: .saved)
    }

    private func verifiedSetup(
        _ asker: Asker, typed: String? = nil, rejected: FormRejected? = nil
    ) throws -> Response {
        let id = asker.person.id
        var facts = VerifiedSetupPage.Facts()
        facts.hasToken =
            try asker.person.verified.server.map { try desk.store.outboundToken(of: id, for: $0) != nil }
            ?? false
        facts.isMeasured = asker.household.devices.contains { $0.person == id }
        facts.address = desk.pages
        facts.seesFigures = asker.seesUsage
        facts.uploads = try desk.store.receivedUploads(of: id, limit: 5)
        facts.connection = try desk.store.receivedConnection(of: id)
        facts.tokenNames = Dictionary(uniqueKeysWithValues: desk.store.tokens.map { ($0.id, $0.name) })
        let shown = VerifiedSetupPage(
            person: asker.person, household: asker.household, zones: CivilZone.known, facts: facts,
            zone: asker.zone, typed: typed, errors: rejected?.forPage ?? [:])
        return try desk.page(
            shown, for: asker, status: rejected == nil ? .ok : .unprocessableContent,
            notices: rejected?.notices ?? [])
    }
}

extension FormReading {
    /// Nil if there is none, or if it is refused.
    fileprivate mutating func server(_ typed: String) throws -> VerifiedServer? {
        guard !typed.isEmpty else { return nil }
        do throws(Refusal) { return try VerifiedServer(typed: typed) } catch {
            refuse("baseURL", error)
            return nil
        }
    }

    fileprivate mutating func token(_ typed: String) throws -> String? {
        guard !typed.isEmpty else { return nil }
        do throws(Refusal) { return try AccessToken.checked(typed) } catch {
            refuse("accessToken", error)
            return nil
        }
    }
}
