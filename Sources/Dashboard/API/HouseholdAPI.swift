import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Policy
import Store

extension JSONBody {
    fileprivate mutating func name() -> String? { string("name", 1...CleanName.maximum) }
}

/// People, devices and the export, for programs.
struct HouseholdAPI: Sendable {
    let desk: Desk
    let device: DeviceRoutes

    func devices(_ request: Request, _ visit: Visit) throws -> Response {
        let household = desk.household(at: desk.clock.now())
        return .json(.array(household.devices.map { Self.device($0, in: household) }))
    }

    /// Takes `id` from the address or the body, and what is to change: `name`, `kind`, `person` (null: not blocked) or
    /// `family`, and a tablet's `noMobileData`. A router gets a person only with `confirmRouter`.
    func changeDevice(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let id = DeviceID(rawValue: try Self.id(visit, &body))
        let name = body.contains("name") ? body.name() : nil
        let kind = body.contains("kind") ? body.choice("kind", of: Device.Kind.allCases) : nil
        let owner = body.contains("person") ? body.intOrNull("person") : nil
        let family = body.contains("family") ? body.object("family") { FamilyChoice(&$0) } ?? nil : nil
        if owner != nil, body.contains("family") {
            body.refuse("family", "A device belongs to a person or to the family.")
        }
        let noMobileData = body.contains("noMobileData") ? body.bool("noMobileData") : nil
        let confirmsRouter = body.contains("confirmRouter") ? body.bool("confirmRouter") : nil
        try body.finish()
        try device.change(
            id, name: name, kind: kind, owner: owner.map { $0.map(String.init) ?? "" }, family: family,
            hasNoMobileData: noMobileData, confirmsRouter: confirmsRouter ?? false)
        let household = desk.store.household
        guard let device = household[device: id] else { throw Problem(Refusal.unknownDevice) }
        return .json(Self.device(device, in: household))
    }

    func people(_ request: Request, _ visit: Visit) throws -> Response {
        .json(.array(desk.household(at: desk.clock.now()).people.map(Self.person)))
    }

    func addPerson(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let name = body.name()
        let role = body.contains("role") ? body.choice("role", of: [Person.Role.adult, .child]) : .adult
        try body.finish()
        let id = try desk.store.newPersonID()
        try desk.command { household, log, now in
            try household.addPerson(id, name: name ?? "", role: role ?? .adult, catalog: desk.catalog)
            log.note(.ruleChanged, id, at: now, "People")
        }
        return try person(id, status: .created)
    }

    func changePerson(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let id = PersonID(rawValue: try Self.id(visit, &body))
        let name = body.contains("name") ? body.name() : nil
        let role = body.contains("role") ? body.choice("role", of: [Person.Role.adult, .child]) : nil
        let strictness =
            body.contains("defaultStrictness")
            ? body.choice("defaultStrictness", of: StrictnessMode.allCases) : nil
        try body.finish()
        try desk.command { household, log, now in
            guard household[person: id] != nil else { throw Refusal.unknownPerson }
            if let name { try household.renamePerson(id, to: name) }
            if let role { try household.setRole(id, to: role) }
            if let strictness { try household.setDefaultStrictness(id, to: strictness) }
            log.note(.ruleChanged, id, at: now, "People")
        }
        return try person(id)
    }

    func removePerson(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let id = PersonID(rawValue: try Self.id(visit, &body))
        try body.finish()
        try desk.command { household, log, now in
            try household.removePerson(id, at: now)
            log.note(.ruleChanged, nil, at: now, "People")
        }
        return Response(status: .noContent)
    }

    /// The household as JSON, with the seeds' key names, and only the minutes that the asker may see
    /// (`Asker.seesUsage`).
    func export(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let hidden = asker.household.people.filter { !asker.seesUsage(of: $0) }.map(\.id)
        let bytes = try desk.store.export(at: desk.clock.now(), hidesUseOf: Set(hidden))
        return Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private func person(_ id: PersonID, status: HTTPResponse.Status = .ok) throws -> Response {
        guard let person = desk.store.household[person: id] else { throw Problem(Refusal.unknownPerson) }
        return .json(Self.person(person), status: status)
    }

    private static func id(_ visit: Visit, _ body: inout JSONBody) throws -> Int64 {
        if let text = visit.parameters.get("id") {
            guard let number = FormReading.wholeNumber(text) else { throw Problem(.notFound) }
            body.ignore("id")
            return Int64(number)
        }
        let number = body.int("id")
        try body.throwIfRefused()
        return Int64(number ?? 0)
    }

    private static func device(_ device: Device, in household: Household) -> JSONValue {
        .object([
            ("id", .int(Int(device.id.rawValue))), ("name", .string(device.name)),
            ("networkName", device.networkName.map { .string($0) } ?? .null),
            ("kind", .string(device.kind.rawValue)), ("noMobileData", .bool(device.hasNoMobileData)),
            ("person", device.person.map { .int(Int($0.rawValue)) } ?? .null),
            ("family", device.family?.json ?? .null),
            ("addresses", .strings(device.addresses)),
            ("hardwareAddress", device.hardwareAddress.map { .string($0) } ?? .null),
            ("firstSeen", .instant(device.firstSeen)),
            ("lastSeen", device.lastSeen > Device.neverAsked ? .instant(device.lastSeen) : .null),
            ("helpUntil", .instant(device.helpUntil)),
            (
                "waysOut",
                .array(
                    device.waysOut.filter(\.isOpen).map { seen in
                        .object([
                            ("kind", .string(seen.kind.rawValue)), ("since", .instant(seen.since)),
                            ("text", .string(household.finding(seen.kind, on: device).sentence)),
                        ])
                    })
            ),
        ])
    }

    private static func person(_ person: Person) -> JSONValue {
        .object([
            ("id", .int(Int(person.id.rawValue))), ("name", .string(person.name)),
            ("role", .string(person.role.rawValue)),
            ("defaultStrictness", .string(person.defaultStrictness.rawValue)),
        ])
    }
}
