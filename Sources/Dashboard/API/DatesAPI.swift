import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// Exceptions by date, for programs.
struct DatesAPI: Sendable {
    let desk: Desk

    func exceptions(_ request: Request, _ visit: Visit) throws -> Response {
        let now = desk.clock.now()
        return .json(.array(desk.household(at: now).dateExceptions(at: now).map(DatesJSON.held)))
    }

    /// Takes `first`, `last`, `instead` with its `weekday` or `start` and `end`, and `people`; without those it is for
    /// everybody.
    func addException(_ request: Request, _ visit: Visit) async throws -> Response {
        // Only the body says for whom it is; a person in the address would be ignored.
        guard request.uri.queryParameters["person"] == nil else {
            throw Problem(.invalidInput, errors: ["person": "Send people in the body."])
        }
        var body = try await JSONBody(request)
        let (first, last) = (body.date("first"), body.date("last"))
        let instead = body.instead()
        let people = body.contains("people") ? body.ints("people") : nil
        try body.finish()
        guard let first, let last, let instead else { throw Problem(.invalidInput) }
        let everybody = desk.store.household.people.map(\.id)
        let exception = DateException(id: UUID(), first: first, last: last, instead: instead)
        _ = try DatesRoutes(desk: desk).add(
            exception, for: people?.map { PersonID(rawValue: Int64($0)) } ?? everybody)
        let now = desk.clock.now()
        guard
            let held = desk.household(at: now).dateExceptions(at: now).first(where: {
                $0.exception.id == exception.id
            })
        else { throw Problem(Refusal.unknownDateException) }
        return .json(DatesJSON.held(held), status: .created)
    }

    /// Takes it back for all who have it, or with `person` in the address for one of them.
    func removeException(_ request: Request, _ visit: Visit) throws -> Response {
        guard let id = visit.parameters.get("id").flatMap({ UUID(uuidString: $0) }) else {
            throw Problem(Refusal.unknownDateException)
        }
        let person = try PersonID(named: request.uri.queryParameters["person"].map { String($0) })
        _ = try DatesRoutes(desk: desk).remove(id, of: person)
        return Response(status: .noContent)
    }
}

/// An exception as the API and `state` answer it.
enum DatesJSON {
    static func held(_ held: HeldException) -> JSONValue {
        let exception = held.exception
        var (weekday, start, end): (String?, String?, String?) = (nil, nil, nil)
        switch exception.instead {
        case .weekday(let day): weekday = day.rawValue
        case .times(let bedtime, let wake): (start, end) = (bedtime.description, wake.description)
        case .nothing: break
        }
        return .object([
            ("id", .string(exception.id.uuidString)), ("first", .string(exception.first.description)),
            ("last", .string(exception.last.description)), ("instead", .string(exception.instead.word)),
            ("weekday", text(weekday)), ("start", text(start)), ("end", text(end)),
            ("people", .array(held.people.map { .int(Int($0.rawValue)) })),
            ("waitsUntil", .instant(held.waitsUntil)), ("goesAt", .instant(held.goesAt)),
        ])
    }

    private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}

extension JSONBody {
    private enum Word: String, CaseIterable { case weekday, times, nothing }

    /// What holds instead, with the members of that word; those of another word are refused.
    fileprivate mutating func instead() -> DateException.Instead? {
        switch choice("instead", of: Word.allCases) {
        case .weekday: return choice("weekday", of: Weekday.allCases).map { .weekday($0) }
        case .times:
            guard let start = time("start"), let end = time("end") else { return nil }
            return .times(start: start, end: end)
        case .nothing: return .nothing
        case nil: return nil
        }
    }

    fileprivate mutating func date(_ name: String) -> CivilDate? {
        guard let text = string(name) else { return nil }
        if let date = CivilDate(text) { return date }
        refuse(name, "This must be a date like 2026-11-30.")
        return nil
    }
}
