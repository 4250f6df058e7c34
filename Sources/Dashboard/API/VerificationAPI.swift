import Directory
import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// Discipline Dungeon's own addresses.
struct VerificationAPI: Sendable {
    let desk: Desk
    private let rate = Rate<APIToken.ID>(burst: 1_200, perSeconds: 60)

    /// `POST /api/verification/ios/upload`: a new day is 200 too, not 201.
    func uploadMinutes(_ request: Request, _ visit: Visit) async throws -> Response {
        if let refused = limited(visit) { return refused }
        var body = try await verificationBody(request)
        let date = body.string("date")
        let minutes = body.int("verifiedMinutes")
        let raw = body.object("raw") { raw in
            (
                source: raw.string("source"), timezone: raw.string("timezone"),
                selection: raw.object("selection", WireSelection.Parts.init),
                computedAt: raw.string("computedAtISO8601")
            )
        }
        try body.finish()
        let asker = try desk.asker(request, visit)
        guard let date, let minutes, let raw, let source = raw.source, let zone = raw.timezone,
            let computedAt = raw.computedAt, let selection = raw.selection
        else { throw Problem(.invalidInput) }
        let upload = try refusing(in: "raw.") { () throws(Refusal) in
            try VerifiedUpload(
                date: date, verifiedMinutes: minutes, source: source, timezone: zone,
                selection: try selection.checked(), computedAtISO8601: computedAt, at: asker.now)
        }
        let outcome = try desk.store.receive(upload, with: visit.tokenID, for: asker.person.id, at: asker.now)
        return .json(VerifiedJSON.receipt(outcome, of: upload.date))
    }

    /// `PATCH /api/verification/ios/connection`; answers the settings that hold now.
    func saveConnection(_ request: Request, _ visit: Visit) async throws -> Response {
        if let refused = limited(visit) { return refused }
        var body = try await verificationBody(request)
        let enabled = body.bool("enabled")
        let zone = body.string("timezone")
        let selection = body.object("selection", WireSelection.Parts.init)
        try body.finish()
        let asker = try desk.asker(request, visit)
        guard let enabled, let zone, let selection else { throw Problem(.invalidInput) }
        let connection = try refusing(in: "") { () throws(Refusal) in
            try VerifiedConnection(enabled: enabled, timezone: zone, selection: try selection.checked())
        }
        try desk.store.receive(connection, with: visit.tokenID, for: asker.person.id, at: asker.now)
        return .json(connection.json)
    }

    /// Answers 415 unless the type is JSON; ignores members that newer clients send.
    private func verificationBody(_ request: Request) async throws -> JSONBody {
        let type = request.headers[.contentType]?.split(separator: ";").first
        guard type?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json" else {
            throw Problem(.unsupportedMediaType)
        }
        var body = try await JSONBody(request)
        body.toleratesStrangers = true
        return body
    }

    /// 429 if a token sends too fast.
    private func limited(_ visit: Visit) -> Response? {
        guard let token = visit.tokenID, let wait = rate.wait(for: token, at: desk.uptime())
        else {
            return nil
        }
        var response = Problem(.rateLimited).response
        response.headers[.retryAfter] = String(wait)
        return response
    }

    /// Runs a rule; a refusal names the member that it is about.
    private func refusing<T>(in prefix: String, _ rule: () throws(Refusal) -> T) throws -> T {
        do { return try rule() } catch {
            throw Problem(
                error, at: error.wireMember.map { $0.hasPrefix("/") ? String($0.dropFirst()) : prefix + $0 })
        }
    }
}

extension Visit {
    fileprivate var tokenID: APIToken.ID? {
        guard case .bearer(let token) = credential else { return nil }
        return token.id
    }
}

extension WireSelection {
    /// The members of a body, not checked yet.
    fileprivate struct Parts {
        let version: Int?
        let text: String?
        let counts: [Int?]

        init(_ body: inout JSONBody) {
            version = body.int("v")
            text = body.string("encodedPlistBase64", 0...WireSelection.maximum)
            counts = ["applicationTokenCount", "categoryTokenCount", "webDomainTokenCount"].map {
                body.int($0)
            }
        }

        /// Call only if nothing was missing.
        func checked() throws(Refusal) -> WireSelection {
            try WireSelection(
                version: version ?? 0, encodedPlistBase64: text ?? "", applicationTokenCount: counts[0] ?? 0,
                categoryTokenCount: counts[1] ?? 0, webDomainTokenCount: counts[2] ?? 0)
        }
    }
}

extension Refusal {
    /// The member that a refusal is about; a slash in front means that it is at the top of the body.
    fileprivate var wireMember: String? {
        switch self {
        case .dateUnreadable, .dateOutOfRange: "/date"
        case .minutesOutOfRange: "/verifiedMinutes"
        case .unknownZone: "timezone"
        case .sourceUnreadable: "source"
        case .computedAtUnreadable: "computedAtISO8601"
        case .selectionVersionUnknown: "selection.v"
        case .selectionTooLarge, .selectionUnreadable: "selection.encodedPlistBase64"
        case .tokenCountOutOfRange: "selection"
        default: nil
        }
    }
}
