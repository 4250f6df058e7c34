import Dashboard
import Foundation
import Pages
import Policy

extension PageState {
    /// `/machines` in every state.
    static let machines = [
        state("machines-alone", nil),
        state("machines-one", HouseMachines([ours])),
        state("machines", HouseMachines([ours, theirs])),
        state(
            "machines-silent",
            HouseMachines([
                ours, silent, HouseMachine(node: 2, name: Sample.hostile, version: "1.0.0", role: .votes),
            ])),
        state(
            "machines-cut-off",
            HouseMachines(
                [cutOff, silent],
                cutOff: .init(reason: "this machine does not trust etcd's certificate", advice: "Name it."),
                mayLead: true)),
        state("machines-full", HouseMachines([ours, theirs], refusal: .init(reason: "etcd is full"))),
        state(
            "machines-invited", HouseMachines([ours]),
            invited: .init(code: "r2m02-p0019-9k4zt-8w3vh-c5e7x-q1ynd-f6gja-b0s2r", seconds: 600)),
        PageState(name: "machine-invite", page: MachineActPage(.invite), context: act("invite")),
        PageState(
            name: "machine-remove", page: MachineActPage(.remove(1, Sample.hostile)),
            context: act("remove?node=1")),
        PageState(name: "machine-lead", page: MachineActPage(.lead), context: act("lead")),
        PageState(
            name: "machine-remove-refused",
            page: MachineActPage(
                .remove(0, "attic"),
                errors: ["passcode": "This is not the passcode.", "button": "etcd does not answer."]),
            context: act("remove?node=0")),
    ]

    private static let ours = HouseMachine(
        node: 0, name: "cellar", version: "1.0.0", role: .leads, since: Sample.now - 7200, isThisOne: true)
    private static let theirs = HouseMachine(
        node: 1, name: "attic", version: "1.0.0", role: .follows, since: Sample.now - 600,
        heard: Sample.now - 20)
    private static let silent = HouseMachine(
        node: 1, name: "attic", version: "1.0.0", role: .follows, behind: 3, isHere: false,
        since: Sample.now - 600)
    private static let cutOff = HouseMachine(node: 0, name: "cellar", version: "1.0.0", isThisOne: true)

    private static func state(
        _ name: String, _ machines: HouseMachines?, invited: MachineInvitation? = nil
    ) -> PageState {
        PageState(
            name: name,
            page: MachinesPage(machines, invited: invited, now: Sample.now, zone: Sample.zone),
            context: context(path: "/machines", people: 2))
    }

    private static func act(_ path: String) -> PageContext { context(path: "/machines/\(path)", people: 2) }
}
