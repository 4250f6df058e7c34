import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

extension SettingsRoutes {
    /// Changes the passcode if the old one is given; ends all other logins.
    func changePasscode(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let current = reading.required("current", "Please give the passcode that holds now.") ?? ""
        let passcode = reading.required("passcode", "Please choose a passcode.") ?? ""
        if !passcode.isEmpty, let objection = Passcode.objection(to: passcode) {
            reading.refuse("passcode", objection)
        }
        do { try reading.finish() } catch { return try settings(asker, rejected: error) }
        switch try await passcodes.attempt(current, request, visit) {
        case .wait(let wait):
            let rejected = FormRejected(["current": "Too many tries. Wait \(wait) s, then try again."])
            var response = try settings(asker, rejected: rejected, status: .tooManyRequests)
            response.headers[.retryAfter] = String(wait)
            return response
        case .wrong:
            return try settings(asker, rejected: FormRejected(["current": "This is not the passcode."]))
        case .right:
            try desk.store.setPasscodeHash(try await passcodes.hash(passcode), keeping: visit.loginToken)
            return desk.back(to: Self.page(of: asker), for: asker, done: .passcode)
        }
    }

    /// Makes a bearer token and shows it once.
    func createToken(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let name = reading.required("name", Refusal.nameMissing.message) ?? ""
        if name.count > 60 || name.utf8.count > 200 { reading.refuse("name", .nameTooLong) }
        do { try reading.finish() } catch {
            return try settings(
                asker, rejected: error.renaming("name", to: "tokenName"),
                typed: SettingsPage.Typed(name: fields.first("name")))
        }
        let made = try desk.store.createToken(name: name, at: asker.now)
        return try settings(asker, newToken: made)
    }

    func revokeToken(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        guard let id = FormReading.wholeNumber(visit.parameters.get("id") ?? ""),
            desk.store.tokens.contains(where: { $0.id == Int64(id) })
        else { throw PageError(.notFound) }
        try desk.store.revokeToken(Int64(id))
        return desk.back(to: Self.page(of: asker), for: asker, done: .removed)
    }
}

extension FormRejected {
    /// The same reasons, but one of them under another field's name.
    func renaming(_ name: String, to other: String) -> FormRejected {
        var reasons = reasons
        if let reason = reasons.removeValue(forKey: name) { reasons[other] = reason }
        return FormRejected(reasons)
    }
}
