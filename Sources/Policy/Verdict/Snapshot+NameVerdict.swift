package import Directory
import Foundation

// What people are told about one name. The server's own name and names of the home never come here.

extension Snapshot {
    /// What a client gets for a name: of everybody whose rules hold, the first verdict that closes it. Help on any of them
    /// opens its names.
    package func verdict(of name: String, by answer: DeviceDirectory.Answer) -> NameVerdict {
        let folded = DomainName.folded(name)
        let all = rules(for: answer)
        let device = household.device(answer)
        var given: NameVerdict
        if let helped = all.first(where: { isHelped($0, to: folded) }) {
            given = verdict(of: folded, under: helped)
        } else {
            let verdicts = all.map { verdict(of: folded, under: $0) }
            given = verdicts.first { $0.block != nil } ?? verdicts[0]
        }
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
        verdict(of: DomainName.folded(name), under: NameRules(device, in: self))
    }

    /// What a person's devices get for a name, unless they have Help open.
    package func verdict(of name: String, person: PersonID) -> NameVerdict {
        verdict(of: DomainName.folded(name), under: NameRules(person: person, in: self))
    }

    private func verdict(of folded: String, under rules: NameRules) -> NameVerdict {
        let deciding = rules.ordered.first { covers($0, folded) }
        var (block, person): (Block?, PersonID?) = (nil, rules.holders.first)
        if case .block(let held, let whose) = deciding { (block, person) = (held, whose) }
        var verdict = NameVerdict(block: block, app: catalog.app(owning: folded), person: person)
        guard let person else { return verdict }
        if case .help = deciding { return verdict }
        verdict.asked = asked(about: folded, person: person)
        if let block {
            verdict.limit = limitShield(of: folded, person: person, block: block)
        } else {
            verdict.probationEndsAt = probationEnd(of: folded, person: person)
        }
        if block.map({ $0.layer == .sleep && !$0.isTry }) ?? true {
            verdict.awakeUntil = household[person: person]?.pauseEnd(at: instant, in: household.zone)
        }
        return verdict
    }

    private func isHelped(_ rules: NameRules, to name: String) -> Bool {
        rules.ordered.contains { if case .help = $0 { covers($0, name) } else { false } }
    }
}
