import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

extension SettingsRoutes {
    func addPerson(_ request: Request, _ visit: Visit) async throws -> Response {
        try await saving(
            request, visit, field: "personName", done: .added, notes: "A person was added", at: "add"
        ) { reading, _ in
            let name = reading.optional("name") ?? ""
            let role = Self.role(&reading)
            if role == .shared { reading.refuse("role", "Choose adult or child.") }
            let id = try desk.store.newPersonID()
            return { household, _, _ in
                try household.addPerson(id, name: name, role: role ?? .adult, catalog: desk.catalog)
            }
        }
    }

    func renamePerson(_ request: Request, _ visit: Visit) async throws -> Response {
        let id = try Self.personID(visit)
        let row = "person-\(id.rawValue)"
        return try await saving(request, visit, field: row, at: row) {
            reading, asker in
            let name = reading.optional("name") ?? ""
            let role = Self.role(&reading)
            let isTheirs = asker.device.map { $0.person == id && $0.isConfirmed } ?? false
            return { household, _, _ in
                try household.renamePerson(id, to: name)
                if let role { try household.setRole(id, to: role, isTheirs: isTheirs) }
            }
        }
    }

    /// Removes a person with `confirm=remove`; else shows the second step, which says what ends with it.
    func removePerson(_ request: Request, _ visit: Visit) async throws -> Response {
        let id = try Self.personID(visit)
        let (asker, fields) = try await desk.posted(request, visit)
        guard let person = asker.household[person: id] else { throw Refusal.unknownPerson }
        var reading = FormReading(fields)
        // The form also has the fields for name and role.
        _ = (reading.optional("name"), reading.optional("role"))
        let confirmation = reading.optional("confirm")
        if let confirmation, confirmation != "remove" {
            reading.refuse("confirm", "Nobody was removed: this was not confirmed.")
        }
        do { try reading.finish() } catch {
            let reason = error.reasons.values.sorted().first
            return try desk.page(
                removal(of: person, asker, error: reason), for: asker, status: .unprocessableContent)
        }
        // Refuses now what would be refused after the confirmation.
        var tried = asker.household
        try tried.removePerson(id, at: asker.now)
        guard confirmation != nil else { return try desk.page(removal(of: person, asker), for: asker) }
        try desk.command { household, log, now in
            try household.removePerson(id, at: now)
            log.note(.ruleChanged, nil, at: now, "\(person.name) was removed")
        }
        // The page of a removed person does not exist any more. The next row is the nearest place, else the one before.
        let (before, after) = (
            asker.household.people.last { $0.id.rawValue < id.rawValue },
            asker.household.people.first { $0.id.rawValue > id.rawValue }
        )
        return desk.back(
            to: SettingsPart.people.path, done: .removed,
            at: (after ?? before).map { "person-\($0.id.rawValue)" })
    }

    private func removal(of person: Person, _ asker: Asker, error: String? = nil) -> RemovalPage {
        let devices = asker.household.devices.filter { $0.person == person.id }.map(\.name)
        let followers = asker.household.devices.filter { $0.family?.times == .person(person.id) }.map(\.name)
        return RemovalPage(
            id: person.id.rawValue, name: person.name,
            endsAt: person.asleepUntil(at: asker.now, in: asker.household.zone).map(
                ClockFace(zone: asker.zone).time),
            devices: devices.isEmpty ? nil : devices.joined(separator: ", "),
            followers: followers.isEmpty ? nil : followers.joined(separator: ", "), error: error)
    }

    /// Nil if the form has none; then nothing changes.
    private static func role(_ reading: inout FormReading) -> Person.Role? {
        guard !reading.fields.all("role").isEmpty else { return nil }
        return reading.choice("role", as: Person.Role.self, "Choose adult or child.")
    }

    private static func personID(_ visit: Visit) throws -> PersonID {
        guard let number = FormReading.wholeNumber(visit.parameters.get("id") ?? "") else {
            throw PageError(.notFound)
        }
        return PersonID(rawValue: Int64(number))
    }
}
