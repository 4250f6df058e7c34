import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/goodbye`: how devices leave, and erasing everything.
struct GoodbyeRoutes: Sendable {
    let desk: Desk
    let passcodes: PasscodeDesk
    let trust: TrustFacts
    /// When this server started to see questions.
    let startedAt: Date
    /// Erases everything and begins anew as soon as the answer is sent.
    let eraseAll: @Sendable () throws -> Void

    func goodbyePage(_ request: Request, _ visit: Visit) throws -> Response {
        try goodbye(try desk.asker(request, visit), isRouter: false)
    }

    /// The same list, before a router change.
    func routerChangePage(_ request: Request, _ visit: Visit) throws -> Response {
        try goodbye(try desk.asker(request, visit), isRouter: true)
    }

    func erasePage(_ request: Request, _ visit: Visit) throws -> Response {
        try erase(try desk.asker(request, visit))
    }

    /// Erases everything with `confirm=erase` and the passcode, and answers the last page. Without `confirm`, it shows
    /// the second step.
    func eraseEverything(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let confirmation = reading.optional("confirm")
        let passcode = confirmation == nil ? nil : reading.required("passcode", "Please give the passcode.")
        if let confirmation, confirmation != "erase" {
            reading.refuse("passcode", "Nothing was erased: this was not confirmed.")
        }
        do { try reading.finish() } catch { return try erase(asker, rejected: error) }
        guard let passcode else { return try erase(asker) }
        do { try asker.household.guardErasing(at: asker.now) } catch {
            return try erase(asker, status: .conflict)
        }
        switch try await passcodes.attempt(passcode, request, visit) {
        case .wait(let wait):
            let reason = "Too many tries. Wait \(wait) s, then try again."
            var response = try erase(
                asker, rejected: FormRejected(["passcode": reason]), status: .tooManyRequests)
            response.headers[.retryAfter] = String(wait)
            return response
        case .wrong:
            return try erase(asker, rejected: FormRejected(["passcode": "This is not the passcode."]))
        case .right: return try farewell(visit)
        }
    }

    /// Reads the household again, because checking the passcode takes a moment.
    private func farewell(_ visit: Visit) throws -> Response {
        let now = desk.clock.now()
        let household = desk.household(at: now)
        try household.guardErasing(at: now)
        let context = PageContext(
            now: now, zone: household.foundationZone, path: "/goodbye", offersHelp: false)
        let html = try desk.renderer.render(
            FarewellPage(household.leaving(at: now, runningSince: startedAt)), in: context)
        try eraseAll()
        var response = Response.html(html)
        LoginCookie.clear(isSecure: visit.isSecure, on: &response)
        // Removes the service worker and its cache too (W3C Clear Site Data); browsers do this over HTTPS only.
        if visit.isSecure { response.headers[.init("Clear-Site-Data")!] = "\"storage\"" }
        return response
    }

    private func goodbye(_ asker: Asker, isRouter: Bool) throws -> Response {
        let shown = GoodbyePage(
            asker.household.leaving(at: asker.now, runningSince: startedAt), thisDevice: asker.device?.id,
            isRouter: isRouter, server: desk.configuration.address, refusal: refusalToErase(asker),
            hasCertificate: trust.authority(asker.now) != nil, now: asker.now)
        return try desk.page(shown, for: asker)
    }

    private func erase(
        _ asker: Asker, rejected: FormRejected? = nil, status: HTTPResponse.Status? = nil
    ) throws -> Response {
        let shown = ErasePage(
            asker.household.leaving(at: asker.now, runningSince: startedAt),
            refusal: refusalToErase(asker), errors: rejected?.forPage ?? [:])
        return try desk.page(
            shown, for: asker, status: status ?? (rejected == nil ? .ok : .unprocessableContent),
            notices: rejected?.notices ?? [])
    }

    private func refusalToErase(_ asker: Asker) -> String? {
        do {
            try asker.household.guardErasing(at: asker.now)
            return nil
        } catch { return error.message }
    }
}
