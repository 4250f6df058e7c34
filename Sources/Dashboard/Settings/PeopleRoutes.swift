import HTTPTypes
import Hummingbird
import Policy
import Store

extension HomeSite {
    func addPerson(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saving(request, visit, field: "personName", done: .added) { reading, _ in
            let name = reading.optional("name") ?? ""
            let id = try store.newPersonID()
            return { household, _, _ in try household.addPerson(id, name: name) }
        }
    }

    func renamePerson(_ request: Request, _ visit: Visit) async throws -> Response {
        let id = try Self.personID(visit)
        return try await saving(request, visit, field: "people") { reading, _ in
            let name = reading.optional("name") ?? ""
            return { household, _, _ in try household.renamePerson(id, to: name) }
        }
    }

    func removePerson(_ request: Request, _ visit: Visit) async throws -> Response {
        let id = try Self.personID(visit)
        var response = try await saving(request, visit, field: "people", done: .removed) { _, _ in
            { household, _, now in try household.removePerson(id, at: now) }
        }
        // The page of somebody who is gone is nobody's.
        if response.status == .seeOther { response.headers[.location] = "/settings?done=removed" }
        return response
    }

    private static func personID(_ visit: Visit) throws -> PersonID {
        guard let number = FormReading.wholeNumber(visit.parameters.get("id") ?? "") else {
            throw PageError(.notFound)
        }
        return PersonID(rawValue: Int64(number))
    }
}
