import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

extension HomeSite {
    /// "It is": the new device goes on as the known one.
    func mergeDevice(_ request: Request, _ visit: Visit) async throws -> Response {
        try await answerReturn(request, visit, done: .merged) { newcomer, known, household, log, now in
            try household.merge(newcomer, into: known, at: now)
            log.note(
                .deviceEnrolled, household[device: known]?.person, known, at: now, "Back with a new address")
        }
    }

    /// "It is another": both stay, and it is not asked again.
    func tellDeviceApart(_ request: Request, _ visit: Visit) async throws -> Response {
        try await answerReturn(request, visit, done: .apart) { newcomer, known, household, _, _ in
            try household.tellApart(newcomer, from: known)
        }
    }

    private typealias Answer = (DeviceID, DeviceID, inout Household, inout [LogEntry], Date) throws -> Void

    /// The new device stands in the address, the known one in the form.
    private func answerReturn(
        _ request: Request, _ visit: Visit, done: DoneNotice, _ answer: Answer
    ) async throws -> Response {
        let fields = try await form(request, visit)
        let asker = try asker(request, visit, fields)
        var reading = FormReading(fields)
        let typed = reading.required("known", "Which device is meant?")
        try reading.finish()
        let newcomer = try Self.deviceID(visit.parameters.get("id") ?? "")
        let known = try Self.deviceID(typed ?? "")
        try command { household, log, now in try answer(newcomer, known, &household, &log, now) }
        return back(to: "/devices", for: asker, done: done)
    }
}
