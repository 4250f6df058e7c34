package import Directory
import Foundation

// The slow and obvious evaluation of one name, in the precedence of `Household.evaluate`. The compiled filter that DNS
// uses must always agree with it. The server's own name and names of the home never come here.

extension Snapshot {
    /// What a client gets for a name: of everybody whose rules hold, the first verdict that closes it.
    ///
    /// Only its own try blocks a device that is not enrolled. A new device follows the rule for new devices.
    package func verdict(of name: String, by answer: DeviceDirectory.Answer) -> NameVerdict {
        let candidates = household.devices(answer)
        if let helped = candidates.first(where: { isHelped($0, to: name) }) {
            return verdict(of: name, device: helped)
        }
        var all = candidates.map { verdict(of: name, device: $0) }
        if answer.isNew || all.isEmpty {
            all.append(verdict(of: name, device: nil, person: household.newDevicesBelongTo))
        }
        var given = all.first { $0.block != nil } ?? all[0]
        let device = household.device(answer)
        given.device = device?.id
        // Until somebody says whose it is, it is blocked like its person's devices and learns nothing more of them.
        let isOwn = device?.isConfirmed == true && given.person == device?.person
        if !isOwn {
            given.limit?.hideUse()
            given.asked = nil
        }
        return given
    }

    /// The same for a device by the text of its IP address, where no hardware address can be seen.
    package func verdict(of name: String, deviceAt address: String) -> NameVerdict {
        guard let address = IPAddress(address) else {
            return verdict(of: name, by: DeviceDirectory.Answer(isNew: true))
        }
        return verdict(of: name, by: directory.answer(address, nil))
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
        if let device, isHelped(device, to: name) {
            return NameVerdict(block: nil, app: catalog.app(owning: name), person: person)
        }
        var verdict = verdict(of: name, person: person)
        if let trial, let hold = hold(of: trial, on: DomainName.folded(name)) {
            verdict.block = hold
            verdict.limit = nil
            verdict.awakeUntil = nil
        }
        return verdict
    }

    /// Whether Help opens a name on a device. It does so too where the client may be another device.
    private func isHelped(_ device: Device, to name: String) -> Bool {
        help(on: device).map { catalog.names(of: $0.names, without: $0.shut).covers(DomainName.folded(name)) }
            ?? false
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
            probationEndsAt: block == nil ? probationEnd(of: folded, person: person) : nil,
            awakeUntil: block.map { $0.layer == .sleep } ?? true
                ? household[person: person]?.pauseEnd(at: instant, in: household.zone) : nil,
            asked: asked(about: folded, person: person))
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
