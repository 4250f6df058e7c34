import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Policy
import Store

/// `/machines`: the household's machines. Who lets one in or takes one out gives the passcode again.
struct MachinesRoutes: Sendable {
    let desk: Desk
    let passcodes: PasscodeDesk
    let condition: any ServerCondition
    let acts: MachineActs

    func machinesPage(_ request: Request, _ visit: Visit) throws -> Response {
        try machines(try desk.asker(request, visit))
    }

    private func machines(_ asker: Asker, invited: MachineInvitation? = nil) throws -> Response {
        let shown = MachinesPage(condition.machines, invited: invited, now: asker.now, zone: asker.zone)
        return try desk.page(shown, for: asker)
    }

    func invitePage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return condition.machines == nil
            ? desk.back(to: "/machines", for: asker) : try desk.page(MachineActPage(.invite), for: asker)
    }

    func removePage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let machine = try other(request.uri.queryParameters["node"].map(String.init))
        return try desk.page(MachineActPage(.remove(machine.node, machine.name)), for: asker)
    }

    func leadPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return condition.machines?.mayLead == true
            ? try desk.page(MachineActPage(.lead), for: asker) : desk.back(to: "/machines", for: asker)
    }

    func lead(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let refused = try await refusal(of: .lead, asker, fields, request, visit) { try await acts.lead() }
        return refused ?? desk.back(to: "/machines", for: asker, done: .leads)
    }

    /// For the household's other machines, which have no log-in here. Only the machine that is named can read it.
    func letter(_ request: Request, _ visit: Visit) throws -> Response {
        let node = FormReading.wholeNumber(visit.parameters.get("node") ?? "")
        return try sealed(node.flatMap(acts.letter), "application/json")
    }

    /// For a new machine. Only who has the code can read it.
    func invitation(_ request: Request, _ visit: Visit) throws -> Response {
        let found: Data?
        do { found = try acts.invitation(visit.parameters.get("id") ?? "") } catch {
            throw PageError(.serviceUnavailable)
        }
        return try sealed(found, "application/octet-stream")
    }

    private func sealed(_ bytes: Data?, _ type: String) throws -> Response {
        guard let bytes else { throw PageError(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Shows a code once.
    func invite(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var invited: MachineInvitation?
        let refused = try await refusal(of: .invite, asker, fields, request, visit) {
            invited = try await acts.invite()
        }
        return try refused ?? machines(asker, invited: invited)
    }

    func remove(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let machine = try other(fields.first("node"))
        let refused = try await refusal(
            of: .remove(machine.node, machine.name), asker, fields, request, visit
        ) {
            try await acts.remove(machine.node)
        }
        return refused ?? desk.back(to: "/machines", for: asker, done: .machineRemoved)
    }

    private func other(_ text: String?) throws -> HouseMachine {
        let number = FormReading.wholeNumber(text ?? "")
        guard let machine = condition.machines?.all.first(where: { $0.node == number && !$0.isThisOne })
        else { throw PageError(.notFound, "There is no such machine.") }
        return machine
    }

    /// Does it if the passcode is right. Returns the page that says why not; nil: it is done.
    private func refusal(
        of act: MachineActPage.Act, _ asker: Asker, _ fields: FormFields, _ request: Request, _ visit: Visit,
        _ carryOut: () async throws -> Void
    ) async throws -> Response? {
        func refused(_ rejected: FormRejected, _ status: HTTPResponse.Status? = nil) throws -> Response {
            try desk.page(
                MachineActPage(act, errors: rejected.forPage), for: asker, status: status ?? rejected.status,
                notices: rejected.notices)
        }
        var reading = FormReading(fields)
        _ = reading.optional("node")
        let passcode = reading.required("passcode", "Please give the passcode.") ?? ""
        do { try reading.finish() } catch { return try refused(error) }
        switch try await passcodes.attempt(passcode, request, visit) {
        case .wait(let wait):
            var response = try refused(
                FormRejected(["passcode": "Too many tries. Wait \(wait) s, then try again."]),
                .tooManyRequests)
            response.headers[.retryAfter] = String(wait)
            return response
        case .wrong: return try refused(FormRejected(["passcode": "This is not the passcode."]))
        case .right: break
        }
        do { try await carryOut() } catch let refusal as MachineRefusal {
            return try refused(FormRejected(["button": refusal.reason]))
        }
        return nil
    }
}
