import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/schedule`: a person's nights, and changes of tonight.
struct ScheduleRoutes: Sendable {
    let desk: Desk

    private var bedtime: SetupBedtime { SetupBedtime(desk: desk) }

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
            return try unsaved(fields, asker, error)
        }
        if form.answer == .back { return try unsaved(fields, asker) }
        // Everyone: a schedule that a person has already stays as it is.
        let people = asker.household.people.filter { person in
            person.id == asker.person.id || form.isForEveryone && person.schedule?.isEnabled != true
        }.map(\.id)
        if form.answer == nil, let question = question(about: form, fields, for: people, asker) {
            return try desk.page(question, for: asker)
        }
        try save(form.schedule, for: people, beginning: form.answer == .tomorrow ? .tomorrow : .now)
        if form.isSetup { return try bedtime.saved(asker) }
        if asker.isFromSetup { return desk.back(to: SetupStep.bedtime.path, for: asker, done: .saved) }
        let isRunning = desk.household(at: desk.clock.now())[person: asker.person.id]?.session != nil
        return desk.back(to: "/", for: asker, done: isRunning && !asker.isSessionRunning ? .begun : .saved)
    }

    /// Nil unless saving would begin a night at once, for one of the people at least.
    private func question(
        about form: ScheduleForm, _ fields: FormFields, for people: [PersonID], _ asker: Asker
    ) -> ScheduleQuestionPage? {
        // The same night for each of them, because it is the same schedule.
        let begun = people.compactMap { id in
            asker.household.nightBegun(bySaving: form.schedule, for: id, at: asker.now).map { (id, $0) }
        }
        return begun.first.map { _, night in
            ScheduleQuestionPage(
                night: night, of: begun.map(\.0), in: asker.household, reader: asker.device?.person,
                strictness: form.schedule.strictness, fields: fields, now: asker.now)
        }
    }

    /// The form with what was typed.
    private func unsaved(
        _ fields: FormFields, _ asker: Asker, _ rejected: FormRejected? = nil
    ) throws -> Response {
        let values = ScheduleForm.values(fields)
        let status: HTTPResponse.Status = rejected == nil ? .ok : .unprocessableContent
        let errors = rejected?.forPage ?? [:]
        if fields.first("from") == "setup" {
            return try bedtime.page(asker, typed: values, errors: errors, status: status)
        }
        let shown = SchedulePage(values: values, isSessionRunning: asker.isSessionRunning, errors: errors)
        return try desk.page(shown, for: asker, status: status, notices: rejected?.notices ?? [])
    }

    /// Saving during a planned night begins it at once, or with the next night.
    func save(
        _ schedule: RecurringSchedule, for people: [PersonID], beginning: ScheduleBeginning = .now
    ) throws {
        try desk.command { household, log, now in
            for person in people {
                try household.saveSchedule(person, schedule, beginning: beginning, at: now)
                log.note(.ruleChanged, person, at: now, "Nightly schedule")
            }
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
