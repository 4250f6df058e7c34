import Cluster
import Enforcement
import Foundation
import Identity
import LocalNetwork
import Policy

extension Replica {
    /// Nil: the household is on this machine only.
    convenience init?(_ ground: Ground, authorities: AuthorityKeeper) throws {
        guard let file = try ClusterFile.read(directory: ground.directory) else { return nil }
        try self.init(
            file, directory: ground.directory, store: ground.store, version: Release.version,
            log: ground.logger, now: ground.clock.now,
            clock: .init(
                instant: MachineClock.instant, isSynchronised: ground.machine.isClockSynchronised,
                heard: ground.borrowedTime.hear),
            filesChanged: authorities.readAgain)
        ground.condition.node = file.nodeName
        ground.condition.others = Condition.Others(
            lines: { [weak self, clock = ground.clock] in self?.lines(at: clock.now()) ?? [] },
            metrics: { [weak self] in self?.metrics ?? "" })
    }

    /// Every machine, for `/health` and `doctor`; what is wrong with one is a finding.
    private func lines(at now: Date) -> [HealthLine] {
        members.map { member in
            var shown = member
            shown.name = CleanName.cleaned(member.name)
            return HealthLine(id: "machine-\(member.node)", isGood: true, text: shown.sentence(at: now))
        }
    }

    /// The other machines, for `/health`.
    var otherMachines: [HouseFacts.OtherMachine] {
        members.filter { !$0.isThisOne }.map {
            HouseFacts.OtherMachine(name: $0.name, missingSince: $0.missingSince, clockAhead: $0.clockAhead)
        }
    }
}
