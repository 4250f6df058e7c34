import Foundation
import Hummingbird
import Pages
import Policy
import Store

/// The steps behind the passcode. Each is a page of its own, in set-up and later.
struct SetupStepRoutes: Sendable {
    let desk: Desk

    func people(_ request: Request, _ visit: Visit) throws -> Response {
        try SetupPeople(desk: desk).page(try desk.asker(request, visit))
    }

    func savePeople(_ request: Request, _ visit: Visit) async throws -> Response {
        try await SetupPeople(desk: desk).save(request, visit)
    }

    func bedtime(_ request: Request, _ visit: Visit) throws -> Response {
        try SetupBedtime(desk: desk).page(try desk.asker(request, visit))
    }

    func saveBedtime(_ request: Request, _ visit: Visit) async throws -> Response {
        try await SetupBedtime(desk: desk).save(request, visit)
    }

    func look(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let shown = SetupTryPage(
            asker.household, step: asker.setupStep(.look),
            port: URL(string: desk.configuration.address)?.port,
            viewer: asker.device?.id, now: asker.now)
        return try desk.page(shown, for: asker)
    }

    /// Continues or skips: everything was saved before.
    func next(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let step = reading.choice("step", as: SetupStep.self, "There is no such step.")
        try reading.finish()
        guard let step else { throw PageError(.unprocessableContent) }
        return try desk.next(after: step, for: asker)
    }

    /// "Finish later": home keeps the way back.
    func later(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        // The button is in the step's form, which sends this field.
        _ = reading.optional("step")
        try reading.finish()
        try desk.command(keeping: .evenInMemory) { household, _, _ in household.leaveSetup() }
        return desk.back(to: "/", for: asker)
    }

    /// "Done", on home.
    func end(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        try desk.command { household, _, _ in household.endSetup() }
        return desk.back(to: "/", for: asker, done: .setUp)
    }

    /// The address of the page before there were steps.
    func begin(_ request: Request, _ visit: Visit) throws -> Response {
        desk.back(to: SetupStep.device.path, for: try desk.asker(request, visit))
    }
}

extension Asker {
    /// The step of a page while set-up runs; nil later.
    func setupStep(_ step: SetupStep) -> SetupStep? { household.setupStep == nil ? nil : step }
}

extension Desk {
    /// Finishes a step and leads to the next one; after the last one, or if set-up is over, to the dashboard.
    func next(after step: SetupStep, for asker: Asker) throws -> Response {
        guard asker.household.setupStep != nil else { return back(to: "/", for: asker, done: .saved) }
        try command(keeping: .evenInMemory) { household, _, _ in household.finish(step) }
        return back(to: step.next?.path ?? "/", for: asker)
    }
}
