import Cluster
import Enforcement
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
    }

    /// The other machines, for `/health`.
    var otherMachines: [HouseFacts.OtherMachine] {
        members.filter { !$0.isThisOne }.map {
            HouseFacts.OtherMachine(name: $0.name, missingSince: $0.missingSince, clockAhead: $0.clockAhead)
        }
    }
}
