import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/setup`: the gate's only form.
struct SetupRoutes: Sendable {
    let desk: Desk
    let passcodes: PasscodeDesk
    let arrivals: Arrivals
    let login: LoginRoutes

    func setupPage(_ request: Request, _ visit: Visit) throws -> Response {
        guard !desk.isSetUp else {
            let step = visit.login == nil ? nil : desk.store.household.setupStep
            return desk.back(to: step?.path ?? "/")
        }
        let code = request.uri.queryParameters["code"].map { String($0.prefix(16)) } ?? ""
        let shown = SetupPage(
            code: code, timeZone: desk.store.household.timeZone, zones: CivilZone.known,
            address: visit.address)
        return try desk.page(shown, request, visit)
    }

    /// Passes the gate, once: takes code, passcode and zone, and enrolls the asking device if the form says so.
    func setUp(_ request: Request, _ visit: Visit) async throws -> Response {
        let fields = try await desk.form(request, visit)
        guard !desk.isSetUp else {
            throw PageError(.conflict, "This household is already set up. Log in instead.")
        }
        let form: SetupForm
        do { form = try SetupForm(fields) } catch {
            return try refusedSetup(fields, error.reasons, request, visit)
        }
        let isRight = { desk.store.isSetupCode(form.code) }
        switch try await passcodes.attempt(request, visit, isRight: isRight) {
        case .wait(let wait):
            let reason = "Too many tries from this device. Wait \(wait) s, then try again."
            var response = try refusedSetup(fields, ["code": reason], request, visit, .tooManyRequests)
            response.headers[.retryAfter] = String(wait)
            return response
        case .wrong:
            let reasons = ["code": "This is not the code that the terminal shows."]
            return try refusedSetup(fields, reasons, request, visit)
        case .right: break
        }
        let kind = ClientSystem.kind(agent: request.headers[.userAgent] ?? "", told: form.kind)
        let hash = try await passcodes.hash(form.passcode)
        // Somebody else may have passed the gate with the same code in the meantime.
        guard isRight() else {
            throw PageError(.conflict, "This household is already set up. Log in instead.")
        }
        // A reverse proxy that does not name its client must not block set-up: the device is enrolled later.
        let newcomer = try? arrivals.newcomer(at: visit.address)
        let caller = Caller(
            credential: nil, address: visit.address, device: visit.device, setsUp: true)
        try Caller.$current.withValue(caller) {
            try desk.command { household, log, now in
                try household.setTimeZone(form.timeZone, at: now)
                guard let me = household.people.first?.id else { return }
                try household.allowFirstSelection(me, catalog: desk.catalog)
                household.setupStep = .people
                // If a router is between this browser and here, the router would be enrolled instead.
                guard form.enroll, let newcomer, !arrivals.network.isRouter([visit.address]) else { return }
                let device = household.welcome(newcomer, at: now)
                try household.assign(device, to: me, at: now)
                try household.name(device, kind, at: now)
                log.note(.deviceEnrolled, me, device, at: now)
            }
        }
        try desk.store.setPasscodeHash(hash)
        return try login.signedIn(visit, to: SetupStep.people.path)
    }

    private func refusedSetup(
        _ fields: FormFields, _ reasons: [String: String], _ request: Request, _ visit: Visit,
        _ status: HTTPResponse.Status = .unprocessableContent
    ) throws -> Response {
        var errors = reasons
        errors["form"] = reasons[""]
        let shown = SetupPage(
            code: fields.first("code") ?? "",
            timeZone: fields.first("timeZone") ?? desk.store.household.timeZone,
            zones: CivilZone.known, enrolls: fields.contains("enroll"), address: visit.address, errors: errors
        )
        return try desk.page(shown, request, visit, status: status)
    }
}
