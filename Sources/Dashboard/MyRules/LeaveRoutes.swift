import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/my-rules/leave`: how an adult leaves.
struct LeaveRoutes: Sendable {
    let desk: Desk

    /// Only shows the page; changes nothing.
    func leavePage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit, evenUnconfirmed: true)
        return try leave(asker, from: try leavingDevice(asker))
    }

    /// An adult leaves, on this device or on all of theirs, without a passcode and without waiting for the disk.
    func leave(_ request: Request, _ visit: Visit) async throws -> Response {
        let fields = try await desk.form(request, visit)
        let asker = try desk.asker(request, visit, fields, evenUnconfirmed: true)
        let device = try leavingDevice(asker)
        var reading = FormReading(fields)
        let which = reading.choice("which", as: Leaving.self, "Choose this device, or all of them.")
        do { try reading.finish() } catch {
            return try leave(
                asker, from: device, error: error.reasons.values.sorted().first,
                status: .unprocessableContent)
        }
        let left = try desk.command(keeping: .evenInMemory) { household, log, now in
            let left = try household.leave(device.id, everywhere: which == .all, at: now)
            for id in left { log.note(.deviceLeft, asker.person.id, id, at: now) }
            return left
        }
        return desk.back(to: "/my-rules", for: asker, done: left.isEmpty ? .leaving : .left)
    }

    /// Takes back a leave that waits, on all of the person's devices if this one may speak for them.
    func stay(_ request: Request, _ visit: Visit) async throws -> Response {
        let fields = try await desk.form(request, visit)
        let asker = try desk.asker(request, visit, fields, evenUnconfirmed: true)
        var reading = FormReading(fields)
        try reading.finish()
        let device = try leavingDevice(asker)
        try desk.command(keeping: .evenInMemory) { household, _, _ in
            try household.stay(device.id, everywhere: device.isConfirmed)
        }
        return desk.back(to: "/my-rules", for: asker, done: .stayed)
    }

    private func leavingDevice(_ asker: Asker) throws -> Device {
        guard let device = asker.ownDevice else { throw Refusal.leaveOnOwnDevice }
        guard asker.person.role == .adult else { throw Refusal.childrenStay }
        return device
    }

    private func leave(
        _ asker: Asker, from device: Device, error: String? = nil, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let shown = LeavePage(
            device, person: asker.person, household: asker.household, error: error, now: asker.now)
        return try desk.page(shown, for: asker, status: status)
    }

    private enum Leaving: String { case this, all }
}
