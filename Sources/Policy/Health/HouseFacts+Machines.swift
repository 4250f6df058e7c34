import Foundation

extension HouseFacts {
    /// After how many seconds a machine that says nothing is missing: a restart is no news.
    static let missingAfter: TimeInterval = 300
    /// By how many seconds the clocks of two machines may differ.
    static let clockTolerance: Double = 2

    /// For how many seconds it is said that somebody else changed records: a day.
    static let strangersFor: TimeInterval = 86_400

    /// Each other machine that is missing, or whose clock shows another time; that none can be asked, that etcd takes no
    /// change, and that somebody else writes into it.
    func strayMachines(_ clock: Since) -> [Finding] {
        guard let machines else { return [] }
        return [machines.cutOff.map { alone($0, machines) }, refusal(machines), stranger(machines, clock)]
            .compactMap { $0 }
            + machines.all.filter { !$0.isThisOne }
            .flatMap { machine in [missing(machine, clock), differing(machine)] }.compactMap { $0 }
    }

    private func alone(_ fault: HouseMachines.Fault, _ machines: HouseMachines) -> Finding {
        let what =
            "This machine cannot ask the household's other machines: \(fault.reason). The rules hold, and changes wait."
        let way =
            machines.mayLead
            ? "If the machine with etcd does not come back soon, let this one lead: on the page Machines, or with "
                + "sleep-inducer cluster lead." : ""
        return Finding(.machines, [what, fault.advice, way].filter { !$0.isEmpty }.joined(separator: " "))
    }

    private func refusal(_ machines: HouseMachines) -> Finding? {
        guard let fault = machines.refusal else { return nil }
        let what =
            "No machine of this household can change anything: \(fault.reason). The rules hold, and changes wait."
        return Finding(
            .machines, subject: "refusal",
            [what, fault.advice].filter { !$0.isEmpty }.joined(separator: " "))
    }

    private func stranger(_ machines: HouseMachines, _ clock: Since) -> Finding? {
        guard let strangers = machines.strangers, now.timeIntervalSince(strangers.last) < Self.strangersFor
        else { return nil }
        return Finding(
            .machines, subject: "strangers",
            "Somebody without the household's key has changed records in etcd \(clock.words(strangers.since)). "
                + "Nothing of it counts here. Give etcd a password.")
    }

    private func missing(_ machine: HouseMachine, _ clock: Since) -> Finding? {
        // A machine that is cut off does not know it of the others.
        guard machines?.cutOff == nil, !machine.isHere, let since = machine.since,
            now.timeIntervalSince(since) >= Self.missingAfter
        else { return nil }
        return Finding(
            .machines, subject: machine.name,
            "\(machine.name), another machine of this household, has been silent "
                + "\(clock.words(since)). Devices that ask only it have no DNS. Look whether it runs. If it is gone for "
                + "good, remove it on the page Machines.")
    }

    private func differing(_ machine: HouseMachine) -> Finding? {
        guard machine.isHere, let ahead = machine.clockAhead, abs(ahead) > Self.clockTolerance
        else { return nil }
        let seconds = Int(min(abs(ahead), 1e9).rounded())
        return Finding(
            .machines, subject: "\(machine.name)-clock",
            "The clock of \(machine.name) is \(seconds) s "
                + "\(ahead > 0 ? "ahead of" : "behind") this machine's. Turn on NTP on both. "
                + "A machine without NTP takes the time of a machine with NTP.")
    }
}
