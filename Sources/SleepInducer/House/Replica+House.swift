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
            address: {
                ground.reachable.map { Announcement.server(at: $0, port: ground.ports.http) }
            },
            filesChanged: authorities.readAgain)
        ground.condition.node = file.nodeName
        ground.condition.others = Condition.Others(
            machines: { [weak self] in self?.machines ?? HouseMachines([]) },
            metrics: { [weak self] in self?.metrics ?? "" })
    }
}
