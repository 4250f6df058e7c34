import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// The step "When is bedtime?": one form for all people, so that no typed time is lost.
struct SetupBedtime {
    let desk: Desk

    func page(
        _ asker: Asker, typed: SetupBedtimeForm? = nil, errors: [String: String] = [:],
        notices: [PageContext.Notice] = []
    ) throws -> Response {
        let shown = SetupBedtimePage(
            asker.household, catalog: desk.wholeCatalog(asker.household), step: asker.setupStep(.bedtime),
            typed: typed, errors: errors)
        return try desk.page(
            shown, for: asker, status: errors.isEmpty && notices.isEmpty ? .ok : .unprocessableContent,
            notices: notices)
    }

    /// Saves every bedtime. It leads on, or to the apps that stay open for a person.
    func save(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let form = SetupBedtimeForm(fields, asker.household)
        do { try form.check() } catch {
            return try page(asker, typed: form, errors: error.forPage, notices: error.notices)
        }
        if form.answer == .back { return try page(asker, typed: form) }
        if form.answer == nil,
            let question = ScheduleQuestionPage(
                about: form.schedules, fields, asker, action: "/setup/bedtime")
        {
            return try desk.page(question, for: asker)
        }
        try desk.saveSchedules(form.schedules, beginning: form.answer == .tomorrow ? .tomorrow : .now)
        if let person = form.then {
            let query = "person=\(person.rawValue)&from=setup"
            return desk.back(to: "/allowed-apps", query: query)
        }
        return try desk.next(after: .bedtime, for: asker)
    }
}
