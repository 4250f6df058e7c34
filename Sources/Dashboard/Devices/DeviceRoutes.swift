import Directory
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/devices`: which devices there are, whose they are, and what people change about them.
struct DeviceRoutes: Sendable {
    let desk: Desk
    let network: NetworkFacts
    let trust: TrustFacts
    let justBlocked: NamesJustBlocked
    let arrivals: Arrivals
    let merges: Merges
    let invitations: PhoneInvitations

    func devicesPage(_ request: Request, _ visit: Visit) throws -> Response {
        func number(_ name: Substring) -> Int? {
            request.uri.queryParameters[name].flatMap { FormReading.wholeNumber(String($0)) }
        }
        let asker = try desk.asker(request, visit)
        let page = number("device").map {
            DevicesPage.page(of: DeviceID(rawValue: Int64($0)), in: asker.household)
        }
        return try devices(
            asker, PointHere(request, desk.configuration, network),
            merged: number("merged").map { DeviceID(rawValue: Int64($0)) }, page: page ?? number("page") ?? 1)
    }

    /// Name, kind and owner in one form; an empty `owner` means that nothing blocks it.
    func saveDevice(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        let id = try Self.deviceID(visit.parameters.get("id") ?? "")
        var reading = FormReading(fields)
        let name = reading.optional("name")
        let kind = reading.optional("kind").map(Device.Kind.init(rawValue:))
        if case .some(.none) = kind { reading.refuse("kind", "There is no such kind of device.") }
        let chosen = reading.optional("owner").flatMap { $0 == DevicesPage.unsaid ? nil : $0 }
        let owner = reading.optional("belongs").map { $0 == "nobody" ? "" : $0 } ?? chosen
        let family = FamilyChoice(&reading)
        let noMobileData = reading.optional("noMobileData").map { ["on": true, "off": false][$0] }
        if case .some(.none) = noMobileData { reading.refuse("noMobileData", "Choose on or off.") }
        let confirmsRouter = Self.confirmsRouter(&reading)
        do {
            try reading.finish()
            try change(
                id, name: name, kind: kind ?? nil, owner: owner == "family" ? nil : owner,
                family: owner == "family" ? family : nil, hasNoMobileData: noMobileData ?? nil,
                confirmsRouter: confirmsRouter)
        } catch let refusal as Refusal where refusal.isAboutInput {
            return try devices(
                asker, PointHere(request, desk.configuration, network), errors: [id: refusal.message])
        } catch let rejected as FormRejected {
            return try devices(
                asker, PointHere(request, desk.configuration, network),
                errors: [id: rejected.reasons.values.sorted().first ?? ""])
        }
        return back(to: id, for: asker, done: .saved)
    }

    func removeDevice(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, id) = try await pressed(request, visit)
        try desk.command { household, log, now in
            let owner = household[device: id]?.person
            try household.release(id, at: now)
            household.remove(id)
            log.note(.deviceReleased, owner, at: now)
        }
        return back(to: DevicesPage.neighbour(of: id, in: asker.household), for: asker, done: .removed)
    }

    /// Removes all devices that were seen once and are gone (`Household.onceSeen`).
    func removeOnceSeen(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        try desk.command { household, log, now in
            let owners = Set(household.onceSeen(at: now).compactMap(\.person))
            try household.removeOnceSeen(at: now)
            for owner in owners { log.note(.deviceReleased, owner, at: now) }
        }
        return desk.back(to: "/devices", for: asker, done: .removed, at: "device-list")
    }

    /// The owner says that a device does not trust the certificate any more.
    func forgetTrust(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, id) = try await pressed(request, visit)
        try desk.command { household, _, _ in try household.forgetTrust(id) }
        return back(to: id, for: asker, done: .saved)
    }

    /// Applies the given changes in one transaction; `owner` is a person's id, empty for none.
    func change(
        _ id: DeviceID, name: String?, kind: Device.Kind?, owner: String?, family: FamilyChoice? = nil,
        hasNoMobileData: Bool? = nil, confirmsRouter: Bool
    ) throws {
        let person = try PersonID(named: owner)
        let newPerson = family?.isOwn == true ? try desk.store.newPersonID() : nil
        try desk.command { household, log, now in
            guard let device = household[device: id] else { throw Refusal.unknownDevice }
            if let family {
                try guardRouter(id, in: household, isConfirmed: confirmsRouter)
                // Times of its own are called as the device is from now on.
                if let name { try household.renameDevice(id, to: name) }
                try share(id, family, newPerson: newPerson, in: &household, at: now)
                if !device.isSomebodys { log.note(.deviceEnrolled, nil, id, at: now) }
            }
            // The owner changes before the kind, so that the checks of the owner see the old kind.
            if owner != nil, person == device.person, device.family == nil {
                // Saving the owner unchanged confirms it, even if only the rule for new devices chose it.
                if let person { try household.assign(id, to: person, at: now) }
                if person == nil, device.isUnplaced { try household.release(id, at: now) }
            } else if owner != nil {
                if let person {
                    try guardRouter(id, in: household, isConfirmed: confirmsRouter)
                    try household.assign(id, to: person, at: now)
                    log.note(.deviceEnrolled, person, id, at: now)
                } else {
                    try household.release(id, at: now)
                    log.note(.deviceReleased, device.person, id, at: now)
                }
            }
            if let kind, kind != device.kind { try household.setKind(id, to: kind, at: now) }
            if let hasNoMobileData { try household.setHasNoMobileData(id, to: hasNoMobileData) }
            if let name { try household.renameDevice(id, to: name) }
        }
    }

    /// For buttons inside a device's own form, whose fields they ignore: the asker and the device.
    func pressed(_ request: Request, _ visit: Visit) async throws -> (Asker, DeviceID) {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        for name in ["name", "kind", "owner", "times", "minutesOf", "noMobileData", "confirm"] {
            _ = reading.optional(name)
        }
        try reading.finish()
        return (asker, try Self.deviceID(visit.parameters.get("id") ?? ""))
    }

    /// "It is this device": its own address was seen with another hardware address, as behind a repeater.
    func placeDevice(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let typed = reading.required("hardware", "Which address is meant?")
        try reading.finish()
        let id = try Self.deviceID(visit.parameters.get("id") ?? "")
        guard let hardware = typed.flatMap({ MACAddress($0) }) else { throw PageError(.notFound) }
        guard desk.store.doubts(at: desk.clock.now())[id] == hardware.text else {
            throw Refusal.undoOvertaken
        }
        try desk.command { household, _, now in try household.place(id, behind: hardware, at: now) }
        return back(to: id, for: asker, done: .saved)
    }

    /// Back to a device's row, on the page that has it, so that a long list does not jump to its top.
    func back(to device: DeviceID?, for asker: Asker, done: DoneNotice) -> Response {
        let page = device.map { DevicesPage.page(of: $0, in: desk.store.household) } ?? 1
        return desk.back(
            to: "/devices", for: asker, done: done, query: page == 1 ? nil : "page=\(page)",
            at: device.map { "device-\($0.rawValue)" })
    }

    static func deviceID(_ text: String) throws -> DeviceID {
        guard let number = FormReading.wholeNumber(text) else { throw PageError(.notFound) }
        return DeviceID(rawValue: Int64(number))
    }

    /// A person must first read what that means before they can enroll a router.
    func guardRouter(_ id: DeviceID, in household: Household, isConfirmed: Bool) throws(Refusal) {
        guard !isConfirmed, let device = household[device: id], !device.isSomebodys,
            network.isRouter(device.addresses)
        else { return }
        throw .deviceIsRouter
    }

    static func confirmsRouter(_ reading: inout FormReading) -> Bool {
        reading.optional("confirm") == "router"
    }

    private func devices(
        _ asker: Asker, _ pointing: PointHere, merged: DeviceID? = nil, page number: Int = 1,
        errors: [DeviceID: String] = [:]
    ) throws -> Response {
        let blocked = asker.household.devices.filter(asker.seesBlocked).map { device in
            (device.id, device.person.map { justBlocked(device.id, $0).count } ?? 0)
        }
        let shown = DevicesPage(
            household: asker.household, thisDevice: asker.device?.id, address: asker.address,
            person: asker.person.id, pointing: pointing, isStrictRunning: asker.isStrictRunning,
            routers: network.routers(), blocked: Dictionary(uniqueKeysWithValues: blocked),
            now: asker.now, errors: errors, queryAddress: network.queryAddress,
            authority: trust.authority(asker.now)?.fingerprint,
            merges: merges.undoable(in: asker.household, at: asker.now), justMerged: merged,
            doubts: desk.store.doubts(at: asker.now),
            page: errors.keys.first.map { DevicesPage.page(of: $0, in: asker.household) } ?? number,
            named: asker.namesPerson ? "&person=\(asker.person.id.rawValue)" : "")
        return try desk.page(shown, for: asker, status: errors.isEmpty ? .ok : .unprocessableContent)
    }
}
