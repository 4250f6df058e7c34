import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/dates`: exceptions by date, of everybody.
struct DatesRoutes: Sendable {
    let desk: Desk

    func datesPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let person = asker.namesPerson ? asker.person : nil
        var values = DatesPage.Values(proposedFor: person, in: asker.household, at: asker.now)
        if request.uri.queryParameters["week"] == "next" {
            values.proposeNextWeek(after: asker.household.zone.date(of: asker.now))
        }
        return try desk.page(
            DatesPage(household: asker.household, values: values, person: person?.id, now: asker.now),
            for: asker)
    }

    func addException(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        do {
            let form = try DatesForm(fields, id: UUID())
            let waits = try add(form.exception, for: form.people)
            return desk.back(to: "/dates", for: asker, done: waits ? .waiting : .added)
        } catch let rejected as FormRejected {
            return try unsaved(fields, asker, rejected)
        } catch let refusal as Refusal {
            let rejected = FormRejected([DatesForm.field(of: refusal): refusal.message])
            return try unsaved(
                fields, asker, rejected,
                status: refusal.isAboutInput ? .unprocessableContent : .conflict)
        } catch let error as StoreError {
            return try unsaved(fields, asker, FormRejected(unsaved: error))
        }
    }

    /// Takes one back, and leads to the page on which its list stands.
    func removeException(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let from = reading.choice("from", as: DateList.Spot.self, "Choose the page to go back to.")
        let only = reading.optional("only").flatMap(FormReading.wholeNumber)
        try reading.finish()
        let waits = try remove(try visit.itemID, of: only.map { PersonID(rawValue: Int64($0)) })
        return desk.back(
            to: (from ?? .dates).path, for: asker, done: waits ? .waiting : .undone, at: "dates")
    }

    /// One transaction. Says whether it waits for somebody, because it makes their rules easier.
    func add(_ exception: DateException, for people: [PersonID]) throws -> Bool {
        try desk.command { household, log, now in
            let applied = try household.addDateException(exception, for: people, at: now)
            for person in people {
                log.note(.ruleChanged, person, at: now, "Exception \(exception.logWords)")
            }
            return applied.contains { $0 != .now }
        }
    }

    /// The same for taking it back, for one person or for all who have it.
    func remove(_ id: UUID, of person: PersonID? = nil) throws -> Bool {
        try desk.command { household, log, now in
            let words = household.dateExceptions(at: now).first { $0.exception.id == id }?.exception.logWords
            let applied = try household.removeDateException(id, of: person, at: now)
            for person in applied.keys.sorted() {
                log.note(.ruleChanged, person, at: now, "Exception taken back: \(words ?? "")")
            }
            return applied.values.contains { $0 != .now }
        }
    }

    private func unsaved(
        _ fields: FormFields, _ asker: Asker, _ rejected: FormRejected,
        status: HTTPResponse.Status? = nil
    ) throws -> Response {
        let shown = DatesPage(
            household: asker.household, values: DatesForm.values(fields), errors: rejected.forPage,
            now: asker.now)
        return try desk.page(
            shown, for: asker, status: status ?? rejected.status, notices: rejected.notices)
    }
}
