import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/settings/reset`: the emergency way out of a session.
struct ResetRoutes: Sendable {
    let desk: Desk

    /// The second step of Emergency Reset; showing it changes nothing.
    func resetPage(_ request: Request, _ visit: Visit) throws -> Response {
        try reset(try desk.asker(request, visit))
    }

    /// With `confirm=reset`, ends a session of any mode at once; else shows the second step.
    func emergencyReset(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let confirmation = reading.optional("confirm")
        if let confirmation, confirmation != "reset" {
            reading.refuse("confirm", "Nothing was reset: this was not confirmed.")
        }
        do { try reading.finish() } catch {
            return try reset(asker, error: error.reasons.values.sorted().first, status: .unprocessableContent)
        }
        guard confirmation != nil else { return try reset(asker) }
        try resetSession(of: asker.person.id)
        return desk.back(to: "/", for: asker, done: .reset)
    }

    func resetSession(of person: PersonID) throws {
        try desk.command(keeping: .evenInMemory) { household, log, now in
            log.append(try household.emergencyReset(person, at: now))
        }
    }

    private func reset(
        _ asker: Asker, error: String? = nil, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let session = asker.person.running(at: asker.now)
        let endsAt = asker.person.asleepUntil(at: asker.now, in: asker.household.zone).map(
            ClockFace(zone: asker.zone).time)
        let night = asker.person.nights(in: asker.household.zone)?.night(containing: asker.now)
        let shown = ResetPage(
            isSessionRunning: session != nil, endsAt: endsAt,
            isNight: session?.night != nil || night != nil, error: error)
        return try desk.page(shown, for: asker, status: status)
    }
}
