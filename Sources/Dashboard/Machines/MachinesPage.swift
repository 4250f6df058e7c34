package import Foundation
import Pages
package import Policy
import QR

/// `/machines`: the household's machines, or what a second one is for.
package struct MachinesPage: Page {
    package static let template = "machines"

    struct Row {
        let node: Int
        let name: String
        let isThisOne: Bool
        /// `Leads`; nil: unknown.
        let role: String?
        /// `In touch since today at 21:03`
        let touch: String
        let isSilent: Bool
        /// `Version 1.4.0, 3 changes behind`
        let version: String
    }

    /// A code that was just made.
    struct Invited {
        /// `until 21:13`
        let until: String
        /// The whole command with the code: a phone that scans it has what is to be pasted.
        let command: String
        /// A QR code of the command, as SVG; nil if it is too long for one.
        let svg: String?
    }

    /// What a fault is, and what to do.
    struct Trouble {
        let reason: String
        let advice: String?
    }

    package let title: String
    let isAlone: Bool
    let rows: [Row]
    let explainsRoles: Bool
    let troubles: [Trouble]
    /// Whether others can be let in and taken out now.
    let isInTouch: Bool
    /// Whether this machine may be let lead.
    let mayLead: Bool
    let invited: Invited?
    let startCommand = "sudo sleep-inducer cluster start"
    let joinCommand = "sudo sleep-inducer cluster join CODE"

    package init(
        _ machines: HouseMachines?, invited: MachineInvitation? = nil, now: Date, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        title = Self.title(machines?.all.count ?? 1)
        isAlone = machines == nil
        rows = (machines?.all ?? []).map { Row($0, isCutOff: machines?.cutOff != nil, clock, now) }
        explainsRoles = rows.contains { $0.role != nil }
        // Every page says already that a machine is cut off.
        let advice = machines?.cutOff.flatMap {
            $0.advice.isEmpty ? nil : Trouble(reason: "", advice: $0.advice)
        }
        let refusal = machines?.refusal.map {
            Trouble(reason: "No change is taken: \($0.reason).", advice: $0.advice.isEmpty ? nil : $0.advice)
        }
        troubles = [advice, refusal].compactMap { $0 }
        isInTouch = machines.map { $0.cutOff == nil } ?? false
        mayLead = machines?.mayLead ?? false
        self.invited = invited.map { Invited($0, clock, now) }
    }

    private static func title(_ count: Int) -> String {
        let words = [1: "two", 2: "two", 3: "three", 4: "four", 5: "five"]
        return "Household on \(words[count] ?? "several") machines"
    }
}

extension MachinesPage.Row {
    fileprivate init(_ machine: HouseMachine, isCutOff: Bool, _ clock: ClockFace, _ now: Date) {
        node = machine.node
        name = machine.name
        isThisOne = machine.isThisOne
        role = machine.role?.words
        isSilent = machine.isThisOne ? isCutOff : !machine.isHere
        let since = machine.since.map { " since \(clock.past($0, from: now))" } ?? ""
        touch =
            switch (machine.isThisOne, isCutOff) {
            case (true, true): "Cut off from the others"
            case (false, true): "Not heard\(since)"
            default: machine.isHere ? "In touch\(since)" : "Silent\(since)"
            }
        let behind = machine.behind
        version =
            "Version \(machine.version)"
            + (behind > 0 ? ", \(behind) \(behind == 1 ? "change" : "changes") behind" : "")
    }
}

extension HouseMachine.Role {
    fileprivate var words: String {
        switch self {
        case .leads: "Leads"
        case .votes: "Votes"
        case .follows: "Follows"
        }
    }
}

extension MachinesPage.Invited {
    fileprivate init(_ invitation: MachineInvitation, _ clock: ClockFace, _ now: Date) {
        until = clock.until(now + TimeInterval(invitation.seconds), from: now)
        command = "sudo sleep-inducer cluster join \(invitation.code)"
        svg = (try? QRCode(command))?.svg(label: "QR code of the command")
    }
}

extension HouseMachines? {
    /// For the list of pages: `2 machines, all in touch`.
    var summary: String {
        guard let machines = self else { return "This machine answers alone" }
        let (count, silent) = (machines.all.count, machines.all.count { !$0.isHere })
        if machines.cutOff != nil { return "This machine cannot ask the others" }
        if count == 1 { return "1 machine, ready for a second" }
        return silent == 0 ? "\(count) machines, all in touch" : "\(silent) of \(count) machines silent"
    }
}
