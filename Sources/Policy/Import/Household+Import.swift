package import Foundation

extension Household {
    /// Takes what a plan has, all or nothing. It loosens nothing: it adds devices, people, apps to block, and windows where a
    /// person has none.
    ///
    /// - Parameter numbers: as many as the plan needs; with fewer, the household changed since they were taken.
    package mutating func take(
        _ plan: ImportPlan, catalog: Catalog, numbers: ImportPlan.Numbers, newID: () -> UUID, at now: Date
    ) throws(Refusal) {
        guard !plan.isEmpty else { throw .nothingToImport }
        guard numbers.people.count >= plan.people.count, numbers.devices.count >= plan.newDevices,
            devices.count + plan.newDevices <= Self.mostDevices
        else { throw .importOvertaken }
        var unused = numbers.devices[...]
        var added = self
        var ids: [ImportPlan.Owner: PersonID] = [:]
        for (person, id) in zip(plan.people, numbers.people) {
            try added.addPerson(
                id, name: person.name, role: person.isChild ? .child : .adult, catalog: catalog)
            ids[.new(person.name)] = id
        }
        for device in plan.devices where device.isChosen {
            let id = device.known == nil ? unused.popFirst() : nil
            try added.take(device, id, for: added.person(of: device.owner, ids), at: now)
        }
        for rules in plan.rules {
            guard let person = added.person(of: rules.owner, ids) else { continue }
            try added.take(rules, for: person, catalog, newID, at: now)
        }
        self = added
    }

    private func person(of owner: ImportPlan.Owner, _ new: [ImportPlan.Owner: PersonID]) -> PersonID? {
        switch owner {
        case .nobody: nil
        case .person(let id): id
        case .new(let name):
            new[owner] ?? people.last { CleanName.looksLike($0.name, name) }?.id
        }
    }

    private mutating func take(
        _ device: ImportPlan.Taken, _ id: DeviceID?, for person: PersonID?, at now: Date
    ) throws(Refusal) {
        if let known = device.known {
            let index = try index(of: known)
            if !devices[index].isNamed { try renameDevice(known, to: device.name) }
            // What somebody gave to the family stays there, as what is a person's stays with that person.
            let isFamilys = devices[index].family != nil && devices[index].isConfirmed
            if let person, devices[index].person == nil, !isFamilys {
                try assign(known, to: person, at: now)
            }
            return
        }
        guard let id else { throw .importOvertaken }
        let name = try CleanName.checked(device.name)
        devices.append(
            Device(
                id: id, name: name, kind: device.kind, person: person, addresses: device.addresses,
                hardwareAddress: device.hardware.first,
                formerHardwareAddresses: Array(device.hardware.dropFirst().prefix(Device.mostFormerHardware)),
                firstSeen: now, lastSeen: now))
    }

    private mutating func take(
        _ rules: ImportPlan.Rules, for id: PersonID, _ catalog: Catalog, _ newID: () -> UUID, at now: Date
    ) throws(Refusal) {
        let before = self[person: id]?.antiRot
        try saveRestricted(
            id, rules.apps.union(before?.restricted?.apps ?? []), catalog: catalog, change: newID(), at: now)
        guard before?.windows == nil else { return }
        try saveWindows(
            id, rules.pauses.windows(newID: newID), confirmed: true, change: newID(), at: now)
    }
}
