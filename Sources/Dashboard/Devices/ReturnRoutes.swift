import Foundation
import Hummingbird
import Policy
import Store

extension DeviceRoutes {
    /// "It is": merges the new device into the known one.
    func mergeDevice(_ request: Request, _ visit: Visit) async throws -> Response {
        try await answerReturn(request, visit) { newcomer, known, household, log, now in
            let merge = try household.merge(newcomer, into: known, at: now)
            log.note(
                .deviceEnrolled, household[device: known]?.person, known, at: now, "Back with a new address")
            return merge
        }
    }

    /// "It is another": both stay, and the page does not ask again.
    func tellDeviceApart(_ request: Request, _ visit: Visit) async throws -> Response {
        try await answerReturn(request, visit) { newcomer, known, household, _, _ in
            try household.tellApart(newcomer, from: known)
            return nil
        }
    }

    /// Undo: both devices are as before, and the question is asked again.
    func unmergeDevice(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, id) = try await pressed(request, visit)
        guard let merge = merges.merge(into: id) else { throw Refusal.undoOvertaken }
        try desk.command { household, log, now in
            try household.undo(merge, at: now)
            let (owner, other) = (merge.known.person, merge.newcomer)
            if other.person != owner {
                log.note(.deviceReleased, owner, other.id, at: now, "Two devices again")
            }
            if let person = other.person {
                log.note(.deviceEnrolled, person, other.id, at: now, "Two devices again")
            }
        }
        merges.forget(id)
        return back(to: id, for: asker, done: .unmerged)
    }

    private typealias Answer = (DeviceID, DeviceID, inout Household, inout [LogEntry], Date) throws -> Merge?

    /// The path has the new device, the form the known one.
    private func answerReturn(
        _ request: Request, _ visit: Visit, _ answer: Answer
    ) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let typed = reading.required("known", "Which device is meant?")
        try reading.finish()
        let newcomer = try Self.deviceID(visit.parameters.get("id") ?? "")
        let known = try Self.deviceID(typed ?? "")
        let merge = try desk.command { household, log, now in
            try answer(newcomer, known, &household, &log, now)
        }
        guard let merge else {
            // The next question, else the device that this one was about.
            guard let next = desk.store.household.returns.first?.newcomer.id else {
                return back(to: newcomer, for: asker, done: .apart)
            }
            return desk.back(to: "/devices", for: asker, done: .apart, at: "offer-\(next.rawValue)")
        }
        merges.keep(merge)
        return desk.back(to: "/devices", for: asker, query: "merged=\(known.rawValue)", at: "merged")
    }
}
