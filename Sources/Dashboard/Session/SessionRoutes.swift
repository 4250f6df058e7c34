import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/session`: starts, shows and cancels a session.
struct SessionRoutes: Sendable {
    let desk: Desk

    /// The page that starts a session, or the running session.
    func sessionPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        if asker.isSessionRunning { return try activeSession(asker) }
        return try desk.page(page(asker, strictness: asker.person.defaultStrictness), for: asker)
    }

    func startSession(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        do {
            let form = try SessionForm(fields)
            try start(form.durationMinutes, form.strictness, for: asker.person.id)
            return desk.back(to: "/session", for: asker)
        } catch let rejected as FormRejected {
            return try refused(rejected, fields, asker)
        } catch let error as StoreError {
            return try refused(FormRejected(unsaved: error), fields, asker)
        }
    }

    private func refused(_ rejected: FormRejected, _ fields: FormFields, _ asker: Asker) throws -> Response {
        let shown = page(
            asker, strictness: fields.first("strictness").flatMap(StrictnessMode.init),
            duration: fields.first("durationMinutes"), errors: rejected.forPage)
        return try desk.page(shown, for: asker, status: rejected.status, notices: rejected.notices)
    }

    private func page(
        _ asker: Asker, strictness: StrictnessMode?, duration: String? = "60", errors: [String: String] = [:]
    ) -> SessionPage {
        SessionPage(
            person: asker.person, strictness: strictness, duration: duration,
            morning: asker.person.morning(at: asker.now, in: asker.household.zone).map {
                ClockFace(zone: asker.zone).time($0)
            }, otherName: asker.otherName, devices: asker.devicesInUse, isEnrolled: asker.isEnrolled,
            errors: errors)
    }

    func cancelSession(_ request: Request, _ visit: Visit) async throws -> Response {
        try await sessionAction(request, visit) { household, person, now in
            try household.beginCancel(person, at: now)
        }
    }

    func keepSleeping(_ request: Request, _ visit: Visit) async throws -> Response {
        try await sessionAction(request, visit) { household, person, now in
            try household.keepSleeping(person, at: now)
        }
    }

    /// The running session, full screen.
    func activeSession(_ asker: Asker) throws -> Response {
        guard let session = asker.person.running(at: asker.now),
            let end = asker.person.asleepUntil(at: asker.now, in: asker.household.zone)
        else {
            throw PageError(.conflict, Refusal.noSession.message)
        }
        let shown = ActiveSessionPage(
            session: session, until: end,
            pauseEnd: asker.person.pauseEnd(at: asker.now, in: asker.household.zone),
            devices: asker.devicesInUse, isEnrolled: asker.isEnrolled,
            now: asker.now, zone: asker.zone)
        return try desk.page(shown, for: asker)
    }

    /// Creates, saves and blocks in one transaction.
    ///
    /// - Parameter minutes: nil: until the morning.
    func start(_ minutes: Int?, _ strictness: StrictnessMode, for person: PersonID) throws {
        try desk.command { household, log, now in
            guard let minutes else {
                let event = try household.beginBedtime(
                    person, strictness: strictness, session: UUID(), at: now)
                return log.append(event)
            }
            let event = try household.startSession(
                person, durationMinutes: minutes, strictness: strictness, id: UUID(), at: now)
            log.append(event)
        }
    }

    private func sessionAction(
        _ request: Request, _ visit: Visit, _ rule: (inout Household, PersonID, Date) throws -> Void
    ) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        try desk.command(keeping: .evenInMemory) { household, _, now in
            try rule(&household, asker.person.id, now)
        }
        return desk.back(to: "/session", for: asker)
    }
}
