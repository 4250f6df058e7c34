import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// Lets programs in. A bearer token may do everything; a browser's login may only read, because browsers send its
/// cookie by themselves. An empty `person` is refused: a program that sends one has lost a number.
struct TokenAdmission: RouterMiddleware {
    typealias Context = Visit

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        switch context.credential {
        case .bearer: break
        case .login where request.method == .get || request.method == .head: break
        default: throw Problem(.unauthorized)
        }
        let people = request.uri.queryParameters.getAll("person")
        guard people.count <= 1, people.allSatisfy({ !$0.isEmpty }) else {
            throw Problem(.invalidInput, errors: ["person": "One person's number."])
        }
        // Checked even if the body names a person, so that this one is not used.
        for person in people { _ = try PersonID(named: String(person)) }
        return try await next(request, context)
    }
}

/// The state and the session, for programs.
struct SessionAPI: Sendable {
    let desk: Desk

    func state(_ request: Request, _ visit: Visit) throws -> Response {
        try desk.state(for: try desk.asker(request, visit))
    }

    func startSession(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let minutes = body.int("durationMinutes")
        let strictness = body.choice("strictness", of: StrictnessMode.allCases)
        let person = try desk.person(request, visit, &body)
        try body.finish()
        try SessionRoutes(desk: desk).start(minutes ?? 0, strictness ?? .flexible, for: person)
        return try desk.state(of: person, for: try desk.asker(request, visit), status: .created)
    }

    func cancel(_ request: Request, _ visit: Visit) async throws -> Response {
        try await action(request, visit) { household, person, now in
            try household.beginCancel(person, at: now)
        }
    }

    /// Wakes for 30 minutes; then the night goes on.
    func pause(_ request: Request, _ visit: Visit) async throws -> Response {
        try await action(request, visit) { household, person, now in
            try household.wakeForAWhile(person, at: now)
        }
    }

    func keepSleeping(_ request: Request, _ visit: Visit) async throws -> Response {
        try await action(request, visit) { household, person, now in
            try household.keepSleeping(person, at: now)
        }
    }

    func reset(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let isConfirmed = body.contains("confirm") ? body.bool("confirm") : false
        let person = try desk.person(request, visit, &body)
        try body.finish()
        guard isConfirmed == true else { throw Problem(.notConfirmed) }
        try ResetRoutes(desk: desk).resetSession(of: person)
        return try desk.state(of: person, for: try desk.asker(request, visit))
    }

    private func action(
        _ request: Request, _ visit: Visit, _ rule: (inout Household, PersonID, Date) throws -> Void
    ) async throws -> Response {
        var body = try await JSONBody(request)
        let person = try desk.person(request, visit, &body)
        try body.finish()
        try desk.command(keeping: .evenInMemory) { household, _, now in try rule(&household, person, now) }
        return try desk.state(of: person, for: try desk.asker(request, visit))
    }
}

extension Desk {
    /// The body's `person`, else the address's, else the default.
    func person(_ request: Request, _ visit: Visit, _ body: inout JSONBody) throws -> PersonID {
        guard body.contains("person") else { return try asker(request, visit).person.id }
        let number = body.int("person")
        try body.throwIfRefused()
        let id = PersonID(rawValue: Int64(number ?? 0))
        guard household(at: clock.now())[person: id] != nil else { throw Problem(Refusal.unknownPerson) }
        return id
    }

    /// The state of the body's person, or of the person whom the address names.
    func state(
        of id: PersonID? = nil, for asker: Asker, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let now = clock.now()
        let person = id.flatMap { asker.household[person: $0] } ?? asker.person
        let audience = Audience(
            person: person.id, isSignedIn: true, seesUsage: asker.seesUsage(of: person))
        guard let state = StateText(self, at: now).state(of: audience) else {
            throw Problem(Refusal.unknownPerson)
        }
        return .json(state, status: status)
    }
}
