import HTTPTypes
import Hummingbird
import Logging
import Pages
import Policy
import Store

/// `/login` and `/logout`.
struct LoginRoutes: Sendable {
    let desk: Desk
    let passcodes: PasscodeDesk

    func loginPage(_ request: Request, _ visit: Visit) throws -> Response {
        let next = request.uri.queryParameters["next"].flatMap { String($0).asOwnPath }
        if visit.login != nil { return desk.back(to: destination(request, visit, next) ?? "/") }
        return try desk.page(login(request, visit, next: next), request, visit)
    }

    /// The log-in page for this device; it always offers the ways that need no passcode.
    private func login(
        _ request: Request, _ visit: Visit, error: String? = nil, next: String?, wait: Int? = nil
    ) -> LoginPage {
        let device = desk.store.household.device(of: visit)
        return LoginPage(
            error: error, next: next, waitSeconds: wait, hasOwnPages: device?.person != nil,
            isConfirmed: device?.isConfirmed == true, unsent: unsent(request, visit))
    }

    /// Says that a form did nothing, because nobody was logged in.
    private func unsent(_ request: Request, _ visit: Visit) -> String? {
        guard let form = desk.waitingForm(request, visit) else { return nil }
        let rest = form.fields == nil ? "Log in, then do it again." : "Log in, and go on where you were."
        return "Nothing was saved or changed: your log-in had ended. \(rest)"
    }

    /// Where a log-in leads: to a form that still waits, else to the page that was asked for.
    private func destination(_ request: Request, _ visit: Visit, _ next: String?) -> String? {
        desk.waitingForm(request, visit) == nil ? next : "/kept"
    }

    func logIn(_ request: Request, _ visit: Visit) async throws -> Response {
        // Another tab may have logged in meanwhile.
        let fields = try await desk.form(request, visit, checksToken: false)
        var reading = FormReading(fields)
        let passcode = reading.required("passcode", "Please give the passcode.") ?? ""
        let next = reading.optional("next").flatMap(\.asOwnPath)
        if visit.login != nil { return desk.back(to: destination(request, visit, next) ?? "/") }
        do { try reading.finish() } catch {
            let reason = error.reasons["passcode"] ?? error.reasons[""] ?? "This could not be read."
            return try desk.page(
                login(request, visit, error: reason, next: next), request, visit,
                status: .unprocessableContent)
        }
        switch try await passcodes.attempt(passcode, request, visit) {
        case .wait(let wait):
            return try tooManyTries(login(request, visit, next: next, wait: wait), wait, request, visit)
        case .wrong:
            visit.logger.notice("A wrong passcode", metadata: ["address": "\(visit.address)"])
            let refused = login(request, visit, error: "This is not the passcode.", next: next)
            return try desk.page(refused, request, visit, status: .unprocessableContent)
        case .right:
            try confirmDevice(visit)
            let asked = destination(request, visit, next)
            return try signedIn(visit, to: asked ?? desk.store.household.stepAfterLogin?.path ?? "/")
        }
    }

    /// A person who logs in on a device confirms whose it is, because they know the passcode.
    private func confirmDevice(_ visit: Visit) throws {
        guard let device = desk.store.household.device(of: visit), device.person != nil, !device.isConfirmed
        else { return }
        try desk.command(keeping: .evenInMemory) { household, _, _ in try household.confirm(device.id) }
    }

    /// Ends this browser's login; with `everywhere=on`, ends all logins.
    func logOut(_ request: Request, _ visit: Visit) async throws -> Response {
        guard visit.login != nil, let token = visit.loginToken else { return desk.back(to: "/login") }
        var reading = FormReading(try await desk.form(request, visit))
        let isEverywhere = reading.isOn("everywhere")
        try reading.finish()
        if isEverywhere { try desk.store.endAllLogins() } else { try desk.store.endLogin(token: token) }
        desk.feed.viewers.endSignedIn()
        var response = desk.back(to: "/login")
        LoginCookie.clear(isSecure: visit.isSecure, on: &response)
        KnownBrowser.mark(isSecure: visit.isSecure, key: desk.store.secret, on: &response)
        return response
    }

    /// Logs this browser in and leads to a path on this server.
    func signedIn(_ visit: Visit, to path: String) throws -> Response {
        let login = try desk.store.createLogin(at: desk.clock.now())
        var response = desk.back(to: path)
        LoginCookie.set(login.token, isSecure: visit.isSecure, on: &response)
        KnownBrowser.mark(isSecure: visit.isSecure, key: desk.store.secret, on: &response)
        return response
    }

    /// 429 with the seconds to wait, on the page and in a header.
    func tooManyTries(
        _ shown: some Page, _ wait: Int, _ request: Request, _ visit: Visit
    ) throws -> Response {
        var response = try desk.page(shown, request, visit, status: .tooManyRequests)
        response.headers[.retryAfter] = String(wait)
        return response
    }
}

extension String {
    /// A path on this server, or nil: a login must never lead to another site.
    ///
    /// Browsers read `//host`, `/\host`, and tabs or line ends in a path as the start of another host.
    var asOwnPath: String? {
        guard hasPrefix("/"), !hasPrefix("//"), utf8.count <= 1024, !contains("\\"),
            utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return nil }
        return self
    }
}
