import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/schedule`: a person's nights, and changes of tonight.
struct ScheduleRoutes: Sendable {
    let desk: Desk

    /// Shows what is stored: unsaved edits are gone.
    func schedulePage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let values = SchedulePage.Values(asker.person.schedule ?? .default)
        return try desk.page(
            SchedulePage(
                values: values, isSessionRunning: asker.isSessionRunning, dates: Self.dates(asker)),
            for: asker)
    }

    func saveSchedule(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let form: ScheduleForm
        do { form = try ScheduleForm(fields) } catch {
            return try unsaved(fields, asker, error)
        }
        if form.answer == .back { return try unsaved(fields, asker) }
        let saved = [(person: asker.person.id, schedule: form.schedule)]
        if form.answer == nil,
            let question = ScheduleQuestionPage(about: saved, fields, asker, action: "/schedule")
        {
            return try desk.page(question, for: asker)
        }
        do {
            try desk.saveSchedules(saved, beginning: form.answer == .tomorrow ? .tomorrow : .now)
        } catch let error as StoreError {
            return try unsaved(fields, asker, FormRejected(unsaved: error))
        }
        if asker.isFromSetup { return desk.back(to: SetupStep.bedtime.path, for: asker, done: .saved) }
        let isRunning = desk.household(at: desk.clock.now())[person: asker.person.id]?.session != nil
        return desk.back(to: "/", for: asker, done: isRunning && !asker.isSessionRunning ? .begun : .saved)
    }

    private static func dates(_ asker: Asker) -> DateList? {
        DateList(ifAny: asker.household, of: asker.person.id, on: .schedule, at: asker.now)
    }

    /// The form with what was typed.
    private func unsaved(
        _ fields: FormFields, _ asker: Asker, _ rejected: FormRejected? = nil
    ) throws -> Response {
        let values = ScheduleForm.values(fields)
        let status: HTTPResponse.Status = rejected?.status ?? .ok
        let errors = rejected?.forPage ?? [:]
        let shown = SchedulePage(
            values: values, isSessionRunning: asker.isSessionRunning, errors: errors,
            dates: Self.dates(asker))
        return try desk.page(shown, for: asker, status: status, notices: rejected?.notices ?? [])
    }

    /// Skips or delays the coming night, or undoes that.
    func changeTonight(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let word = reading.required("change", "Choose skip or later.") ?? ""
        let press: TonightChange.Press? = word == "undo" ? .clear : TonightChange.Press(rawValue: word)
        let time = word == "at" ? reading.time("time") : nil
        if press == nil, word != "at" { reading.refuse("change", "Choose skip or later.") }
        try reading.finish()
        try desk.command { household, log, now in
            if let time {
                try household.moveTonight(asker.person.id, to: time, at: now)
            } else {
                try household.changeTonight(asker.person.id, press ?? .clear, at: now)
            }
            log.note(
                .ruleChanged, asker.person.id, at: now, "Tonight: \(time.map(\.description) ?? word)")
        }
        return desk.back(to: "/", for: asker)
    }
}

extension Desk {
    /// Saves schedules, all or none. Saving during a planned night begins it at once, or with the next night.
    func saveSchedules(
        _ schedules: [(person: PersonID, schedule: RecurringSchedule)], beginning: ScheduleBeginning = .now
    ) throws {
        guard !schedules.isEmpty else { return }
        try command { household, log, now in
            for (person, schedule) in schedules {
                try household.saveSchedule(person, schedule, beginning: beginning, at: now)
                log.note(.ruleChanged, person, at: now, "Nightly schedule")
            }
        }
    }
}
