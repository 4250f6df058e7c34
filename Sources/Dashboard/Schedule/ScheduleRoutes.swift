import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/schedule`: a person's nights, and changes of tonight.
struct ScheduleRoutes: Sendable {
    let desk: Desk

    /// Shows what is stored: unsaved edits are gone (SI-104).
    func schedulePage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let values = SchedulePage.Values(asker.person.schedule ?? .default)
        return try desk.page(
            SchedulePage(values: values, isSessionRunning: asker.isSessionRunning), for: asker)
    }

    func saveSchedule(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let form: ScheduleForm
        do { form = try ScheduleForm(fields) } catch {
            let shown = SchedulePage(
                values: ScheduleForm.values(fields), isSessionRunning: asker.isSessionRunning,
                errors: error.forPage)
            return try desk.page(shown, for: asker, status: .unprocessableContent, notices: error.notices)
        }
        try save(form.schedule, for: asker.person.id)
        let isRunning = desk.household(at: desk.clock.now())[person: asker.person.id]?.session != nil
        return desk.back(to: "/", for: asker, done: isRunning && !asker.isSessionRunning ? .begun : .saved)
    }

    /// Saving during a planned night begins it at once.
    func save(_ schedule: RecurringSchedule, for person: PersonID) throws {
        try desk.command { household, log, now in
            try household.saveSchedule(person, schedule, at: now)
            log.note(.ruleChanged, person, at: now, "Nightly schedule")
        }
    }

    /// Skips or delays the coming night, or undoes that.
    func changeTonight(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let word = reading.required("change", "Choose skip or later.") ?? ""
        let press: TonightChange.Press? = word == "undo" ? .clear : TonightChange.Press(rawValue: word)
        if press == nil { reading.refuse("change", "Choose skip or later.") }
        try reading.finish()
        try desk.command { household, log, now in
            try household.changeTonight(asker.person.id, press ?? .clear, at: now)
            log.note(.ruleChanged, asker.person.id, at: now, "Tonight: \(word)")
        }
        return desk.back(to: "/", for: asker)
    }
}
