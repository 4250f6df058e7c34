import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// The step "Who sleeps here?": one form for all names, so that no typed name is lost.
struct SetupPeople {
    let desk: Desk

    func page(
        _ asker: Asker, typed: SetupPeopleForm? = nil, errors: [String: String] = [:],
        notices: [PageContext.Notice] = []
    ) throws -> Response {
        let shown = SetupPeoplePage(
            asker.household, step: asker.setupStep(.people), isAdding: asker.path.hasSuffix("done=added"),
            typed: typed, errors: errors)
        return try desk.page(
            shown, for: asker, status: typed == nil ? .ok : .unprocessableContent, notices: notices)
    }

    /// Saves every name and adds the new person. It leads on, or back here after somebody was added.
    func save(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let form = SetupPeopleForm(fields, asker.household)
        do { try form.check() } catch {
            return try page(asker, typed: form, errors: error.forPage, notices: error.notices)
        }
        let newcomer = form.added == nil ? nil : try desk.store.newPersonID()
        var field = ""
        do {
            try desk.command { household, log, now in
                try form.apply(to: &household, newcomer: newcomer, of: asker, desk.catalog) { field = $0 }
                if newcomer != nil { log.note(.ruleChanged, nil, at: now, "A person was added") }
            }
        } catch let refusal as Refusal where refusal.isAboutInput {
            return try page(asker, typed: form, errors: [field: refusal.message])
        }
        if form.button != nil {
            return desk.back(
                to: SetupStep.people.path, for: asker, done: newcomer == nil ? .saved : .added)
        }
        guard asker.household.setupStep != nil else {
            return desk.back(to: SetupStep.device.path, for: asker)
        }
        return try desk.next(after: .people, for: asker)
    }
}
