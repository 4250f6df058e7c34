import Foundation
import Hummingbird
import Policy

extension DeviceRoutes {
    /// "There is no repeater": whoever comes by the device's hardware address is this device.
    func ruleOutRepeater(_ request: Request, _ visit: Visit) async throws -> Response {
        try await answerRepeater(request, visit, done: .one) { household, id, now in
            try household.ruleOutRepeater(behind: id, at: now)
        }
    }

    /// "There may be a repeater", and "There is a repeater" on a child's device: it is found as soon as it shows.
    func allowForRepeater(_ request: Request, _ visit: Visit) async throws -> Response {
        try await answerRepeater(request, visit, done: .several) { household, id, now in
            try household.allowForRepeater(behind: id, at: now)
        }
    }

    private func answerRepeater(
        _ request: Request, _ visit: Visit, done: DoneNotice,
        _ answer: (inout Household, DeviceID, Date) throws -> Void
    ) async throws -> Response {
        let (asker, id) = try await pressed(request, visit)
        try desk.command { household, _, now in try answer(&household, id, now) }
        return desk.back(to: "/devices", for: asker, done: done)
    }
}
