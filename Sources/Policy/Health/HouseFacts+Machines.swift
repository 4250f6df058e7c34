import Foundation

extension HouseFacts {
    /// After how many seconds a machine that says nothing is missing: a restart is no news.
    static let missingAfter: TimeInterval = 300
    /// By how many seconds the clocks of two machines may differ.
    static let clockTolerance: Double = 2

    /// For how many seconds it is said that somebody else changed records: a day.
    static let strangersFor: TimeInterval = 86_400

    /// Each other machine that is missing, or whose clock shows another time; that none can be asked, and that somebody else
    /// writes into etcd.
    func strayMachines(_ clock: Since) -> [Finding] {
        let alone = cutOff.map { reason in
            Finding(
                .machines,
                "This machine cannot ask the household's other machines: \(reason). The rules hold, and changes wait."
            )
        }
        return [alone, stranger(clock)].compactMap { $0 }
            + (otherMachines ?? []).flatMap { machine in [missing(machine, clock), differing(machine)] }
            .compactMap { $0 }
    }

    private func stranger(_ clock: Since) -> Finding? {
        guard let strangers, now.timeIntervalSince(strangers.last) < Self.strangersFor else { return nil }
        return Finding(
            .machines, subject: "strangers",
            "Somebody without the household's key has changed records in etcd \(clock.words(strangers.since)). "
                + "Nothing of it counts here. Give etcd a password.")
    }

    private func missing(_ machine: OtherMachine, _ clock: Since) -> Finding? {
        guard let since = machine.missingSince, now.timeIntervalSince(since) >= Self.missingAfter else {
            return nil
        }
        return Finding(
            .machines, subject: machine.name,
            "\(CleanName.cleaned(machine.name)), another machine of this household, has been silent "
                + "\(clock.words(since)). Devices that ask only it have no DNS. Look whether it runs.")
    }

    private func differing(_ machine: OtherMachine) -> Finding? {
        guard machine.missingSince == nil, let ahead = machine.clockAhead, abs(ahead) > Self.clockTolerance
        else { return nil }
        let seconds = Int(min(abs(ahead), 1e9).rounded())
        return Finding(
            .machines, subject: "\(machine.name)-clock",
            "The clock of \(CleanName.cleaned(machine.name)) is \(seconds) s "
                + "\(ahead > 0 ? "ahead of" : "behind") this machine's. Turn on NTP on both. "
                + "A machine without NTP takes the time of a machine with NTP.")
    }
}
