import Foundation

// The slow and obvious evaluation of one name, in the precedence of `Household.evaluate`. The compiled filter that DNS
// uses must always agree with it. The server's own name and names of the home never come here.

extension Snapshot {
    /// What the device with this address, in canonical text, gets for a name.
    ///
    /// Only its own try blocks a device that is not enrolled. An unknown device follows the rule for new devices.
    package func verdict(of name: String, deviceAt address: String) -> NameVerdict {
        let device = household.device(at: address)
        var verdict = verdict(
            of: name, device: device, person: device == nil ? household.newDevicesBelongTo : device?.person)
        verdict.device = device?.id
        // Until somebody says whose it is, it is blocked like its person's devices and learns nothing more of them.
        if device?.isConfirmed != true { verdict.limit?.hideUse() }
        return verdict
    }

    /// What an enrolled device gets for a name, help included.
    package func verdict(of name: String, device: Device) -> NameVerdict {
        verdict(of: name, device: device, person: device.person)
    }

    private func verdict(of name: String, device: Device?, person: PersonID?) -> NameVerdict {
        let trial = device.flatMap { household.tryBlock(on: $0, at: instant) }
        guard let person else {
            let folded = DomainName.folded(name)
            return NameVerdict(
                block: trial.flatMap { hold(of: $0, on: folded) }, app: catalog.app(owning: folded))
        }
        if let help = device?.help(at: instant),
            catalog.names(of: help).covers(DomainName.folded(name))
        {
            return NameVerdict(block: nil, app: catalog.app(owning: name), person: person)
        }
        var verdict = verdict(of: name, person: person)
        if let trial, let hold = hold(of: trial, on: DomainName.folded(name)) {
            verdict.block = hold
            verdict.limit = nil
        }
        return verdict
    }

    /// A try, if it blocks a folded name.
    private func hold(of trial: Block, on name: String) -> Block? {
        let isReachable = catalog.reachableNames(without: household.unreachable).covers(name)
        return !isReachable && trial.blocks(name, in: catalog) ? trial : nil
    }

    /// What a person's devices get for a name, unless they have Help open.
    package func verdict(of name: String, person: PersonID) -> NameVerdict {
        let folded = DomainName.folded(name)
        let isReachable = catalog.reachableNames(without: household.unreachable).covers(folded)
        let blocks = isReachable ? [] : verdicts[person]?.blocks ?? []
        let block = blocks.first { $0.blocks(folded, in: catalog) }
        return NameVerdict(
            block: block, app: catalog.app(owning: folded), person: person,
            limit: block.flatMap { limitShield(of: folded, person: person, block: $0) },
            probationEndsAt: block == nil ? probationEnd(of: folded, person: person) : nil)
    }
}

extension Block {
    /// Whether this block covers a folded name.
    package func blocks(_ name: String, in catalog: Catalog) -> Bool {
        switch scope {
        case .everythingBut(let allowed): !catalog.names(of: allowed).covers(name)
        case .only(let blocked): catalog.names(of: blocked, without: exempt).covers(name)
        }
    }
}
