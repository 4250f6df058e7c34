import DNS
package import Directory
import Foundation
package import NIOCore
package import Policy
import Synchronization

/// Remembers for ten minutes which names DNS refused to which device, in memory only.
package final class BlockedLately: Sendable {
    private let clock: WallClock
    private let snapshot: @Sendable () -> Snapshot?
    private let neighbours: @Sendable () -> Neighbours
    private let uptime: @Sendable () -> NIODeadline
    private let names = Mutex(JustBlocked())
    /// The rules of the snapshot with this revision, of each person to whom a name was refused since.
    private let prepared = Mutex<(revision: Int, rules: [PersonID: PreparedRules])>((0, [:]))

    /// - Parameters:
    ///   - neighbours: who has which hardware address.
    ///   - snapshot: the snapshot that held when the names were refused.
    package init(
        clock: WallClock, uptime: @escaping @Sendable () -> NIODeadline = { .now() },
        neighbours: @escaping @Sendable () -> Neighbours = { Neighbours() },
        snapshot: @escaping @Sendable () -> Snapshot?
    ) {
        self.clock = clock
        self.uptime = uptime
        self.neighbours = neighbours
        self.snapshot = snapshot
    }

    /// The names that were refused to a device under its person's rules, newest first.
    package func names(of device: DeviceID, person: PersonID) -> [JustBlocked.Name] {
        let present = uptime().seconds
        return names.withLock { $0.names(of: device, person: person, at: present) }
    }

    /// Whether there may be old names to forget.
    var isDue: Bool { names.withLock { $0.isDue(at: uptime().seconds) } }

    /// Notes names refused since the last call and forgets old ones, so that nothing outlives its time unread. Returns the
    /// devices that looked up a VPN.
    @discardableResult
    func note(_ refused: [RefusedName]) -> Set<DeviceID> {
        guard !refused.isEmpty || isDue, let snapshot = snapshot() else { return [] }
        let (now, present) = (clock.now(), uptime().seconds)
        let neighbours = neighbours()
        var noted: [(JustBlocked.Name, DeviceID)] = []
        for refused in refused {
            let answer = snapshot.directory.answer(refused.client, neighbours[refused.client])
            guard let device = snapshot.household.device(answer), let person = device.person else {
                continue
            }
            // A name that is open by now was refused too, but nobody misses it any more.
            guard let block = rules(of: person, in: snapshot).block(of: refused.name) else { continue }
            noted.append(
                (JustBlocked.Name(refused.name, person: person, layer: block.layer, at: now), device.id))
        }
        names.withLock { names in
            for (name, device) in noted { names.note(name, on: device, at: present) }
            if names.isDue(at: present) { names.forget(at: present) }
        }
        return Set(noted.filter { WaysOut.covers($0.0.name) }.map(\.1))
    }

    private func rules(of person: PersonID, in snapshot: Snapshot) -> PreparedRules {
        prepared.withLock { prepared in
            if prepared.revision != snapshot.revision { prepared = (snapshot.revision, [:]) }
            let rules =
                prepared.rules[person] ?? NameRules(person: person, in: snapshot).prepared(in: snapshot)
            prepared.rules[person] = rules
            return rules
        }
    }
}
