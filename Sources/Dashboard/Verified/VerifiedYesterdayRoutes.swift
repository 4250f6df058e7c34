import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy

/// `/verified/yesterday`: computes and uploads.
struct VerifiedYesterdayRoutes: Sendable {
    let desk: Desk
    let delivery: VerifiedDelivery

    func verifiedYesterdayPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try verifiedYesterday(
            asker, isSheetOpen: request.uri.queryParameters["sheet"].map(String.init) == "open")
    }

    /// "Compute yesterday minutes": stores the request, and leads to the sheet. Enforcement computes it even if nobody
    /// waits, and is done before the redirect is sent.
    func computeYesterday(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        try guardFigures(asker)
        do {
            try desk.command { household, _, now in try household.stageComputation(asker.person.id, at: now) }
        } catch let refusal as Refusal {
            return try verifiedYesterday(asker, status: .conflict, notice: refusal.message)
        }
        return desk.back(to: "/verified/yesterday", for: asker, query: "sheet=open")
    }

    /// "Upload yesterday", for the day that the page showed. A failure is stored with its reason, and
    /// the button tries again.
    func uploadYesterday(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let shown = reading.optional("date").flatMap(CivilDate.init)
        try reading.finish()
        try guardFigures(asker)
        do {
            let upload = try asker.household.verifiedUpload(of: asker.person.id, at: asker.now)
            if let shown, shown != upload.date { throw Refusal.computedForAnotherDay(shown, upload.date) }
            let result = try await delivery.deliver(upload, of: asker.person)
            try desk.command { household, _, _ in try household.noteUpload(asker.person.id, result) }
        } catch let refusal as Refusal {
            return try verifiedYesterday(asker, status: .conflict, notice: refusal.message)
        }
        return desk.back(to: "/verified/yesterday", for: asker)
    }

    private func verifiedYesterday(
        _ asker: Asker, isSheetOpen: Bool = false, status: HTTPResponse.Status = .ok, notice: String? = nil
    ) throws -> Response {
        try guardFigures(asker)
        let shown = VerifiedYesterdayPage(
            person: asker.person, household: asker.household, isSheetOpen: isSheetOpen, now: asker.now,
            zone: asker.zone)
        return try desk.page(
            shown, for: asker, status: status, notices: notice.map { [.init(.refused, $0)] } ?? [])
    }

    /// Only the adult may see an adult's minutes.
    private func guardFigures(_ asker: Asker) throws {
        guard asker.seesUsage else {
            throw PageError(
                .forbidden, "Only \(asker.person.name)'s own devices show what \(asker.person.name) used.")
        }
    }
}
