import Directory

extension Household {
    /// What of a foreign household would be taken now.
    ///
    /// - Parameter choice: nil: every client with the owner that is proposed.
    package func importPlan(
        of foreign: ForeignHousehold, choice: ImportPlan.Choice? = nil, catalog: Catalog
    ) -> ImportPlan {
        var plan = ImportPlan(source: foreign.source, devices: [], people: [], rules: [], notTaken: [])
        var words = ImportWords(foreign.source)
        var seen: Set<String> = []
        for (index, client) in foreign.clients.enumerated() {
            guard !(client.hardware.isEmpty && client.addresses.isEmpty) else {
                words.noDevice(client)
                continue
            }
            guard seen.isDisjoint(with: client.hardware + client.addresses) else {
                words.twice(client)
                continue
            }
            seen.formUnion(client.hardware + client.addresses)
            if !client.otherIDs.isEmpty { words.otherIDs(client) }
            plan.devices.append(taken(client, index, choice))
        }
        addRules(to: &plan, foreign, catalog.adding(ownApps), &words)
        for name in choice?.adults ?? [] {
            for index in plan.people.indices where plan.people[index].name == name {
                plan.people[index].isChild = false
            }
        }
        words.unplaced(foreign.unplaced)
        words.leftovers(foreign.leftovers)
        plan.notTaken = words.sentences
        return plan
    }

    private func taken(_ client: ForeignClient, _ index: Int, _ choice: ImportPlan.Choice?)
        -> ImportPlan.Taken
    {
        let known = knownDevice(client)
        let name = CleanName.cleaned(client.name)
        let fallback = client.hardware.first ?? client.addresses.first ?? ""
        let keeps = known?.person
        return ImportPlan.Taken(
            client: index, name: name.isEmpty ? fallback : String(name.prefix(CleanName.maximum)),
            hardware: client.hardware,
            // Where a hardware address tells the device, its IP address comes by itself and may be another's by now.
            addresses: client.hardware.isEmpty ? client.addresses : [], kind: client.kind, known: known?.id,
            keeps: keeps,
            owner: keeps.map { .person($0) } ?? choice?.owners[index] ?? proposedOwner(of: client),
            isChosen: choice.map { $0.clients.contains(index) } ?? true)
    }

    private func knownDevice(_ client: ForeignClient) -> Device? {
        devices.first { device in client.hardware.contains(where: device.has(hardware:)) }
            ?? (client.hardware.isEmpty
                ? devices.first { !Set($0.addresses).isDisjoint(with: client.addresses) } : nil)
    }

    /// The people who are new, and what is blocked for whom. Rules belong to people: of several devices of one person all
    /// apps are blocked on all of them, and only the pauses that all have stay open.
    private func addRules(
        to plan: inout ImportPlan, _ foreign: ForeignHousehold, _ catalog: Catalog, _ words: inout ImportWords
    ) {
        for device in plan.devices where device.isChosen {
            let client = foreign.clients[device.client]
            if case .new(let name) = device.owner { add(name, client, to: &plan.people) }
            guard !client.rules.isEmpty else { continue }
            if let owner = device.keeps.flatMap({ self[person: $0] }) {
                words.keepsRules(device.name, owner.name)
                continue
            }
            guard device.owner != .nobody else {
                words.nobodys(device.name)
                continue
            }
            let apps = words.apps(of: client.rules, in: catalog)
            guard !client.rules.isAlwaysPaused else {
                words.alwaysPaused(device.name)
                continue
            }
            words.zone(client.rules, here: timeZone)
            if !apps.isEmpty { add(apps, client.rules.pauses, for: device.owner, to: &plan, &words) }
        }
    }

    /// Somebody for whom something is blocked is proposed as a child: an adult could leave what was set up for them.
    private func add(_ name: String, _ client: ForeignClient, to people: inout [ImportPlan.NewPerson]) {
        let isChild = client.isChild || !(client.rules.isEmpty || client.rules.isAlwaysPaused)
        if let index = people.firstIndex(where: { CleanName.looksLike($0.name, name) }) {
            if isChild { people[index].isChild = true }
        } else {
            people.append(ImportPlan.NewPerson(name: name, isChild: isChild))
        }
    }

    private func add(
        _ apps: Set<String>, _ pauses: [ForeignRules.Pause], for owner: ImportPlan.Owner,
        to plan: inout ImportPlan, _ words: inout ImportWords
    ) {
        if let index = plan.rules.firstIndex(where: { $0.owner == owner }) {
            plan.rules[index].apps.formUnion(apps)
            if Set(plan.rules[index].pauses) != Set(pauses) {
                plan.rules[index].pauses = plan.rules[index].pauses.common(with: pauses)
                words.differentPauses(name(of: owner))
            }
            return
        }
        var keeps = false
        if case .person(let id) = owner { keeps = self[person: id]?.antiRot.windows != nil }
        if keeps, !pauses.isEmpty { words.keepsWindows(name(of: owner)) }
        plan.rules.append(
            ImportPlan.Rules(owner: owner, apps: apps, pauses: keeps ? [] : pauses, keepsWindows: keeps))
    }

    package func name(of owner: ImportPlan.Owner) -> String {
        switch owner {
        case .nobody: "Nobody"
        case .person(let id): self[person: id]?.name ?? "Somebody"
        case .new(let name): name
        }
    }
}
