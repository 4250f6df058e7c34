package import Directory
package import Policy
import Synchronization

/// The newest snapshot, readable from any thread; it tells which device is at an address.
package final class LatestSnapshot: Sendable {
    private let newest = Mutex<Snapshot?>(nil)
    private let standsBeforeRules: @Sendable (String) -> Bool
    private let neighbours: @Sendable () -> Neighbours

    /// - Parameters:
    ///   - standsBeforeRules: whether a name is the server's own or the home's, which nothing blocks.
    ///   - neighbours: who has which hardware address.
    package init(
        standsBeforeRules: @escaping @Sendable (String) -> Bool,
        neighbours: @escaping @Sendable () -> Neighbours = { Neighbours() }
    ) {
        self.standsBeforeRules = standsBeforeRules
        self.neighbours = neighbours
    }

    package var value: Snapshot? { newest.withLock { $0 } }

    package func replace(with snapshot: Snapshot) { newest.withLock { $0 = snapshot } }

    private func answer(at address: String, in snapshot: Snapshot) -> DeviceDirectory.Answer {
        guard let address = IPAddress(address) else { return DeviceDirectory.Answer(isNew: true) }
        return snapshot.directory.answer(address, neighbours()[address])
    }

    /// The device that connects from an address; nil: none is known, or it may be one of several.
    package func device(at address: String) -> Device? {
        value.flatMap { $0.household.device(answer(at: address, in: $0)) }
    }

    /// Whether the client at an address is, or may be, a known device.
    package func knows(_ address: String) -> Bool {
        value.map { !answer(at: address, in: $0).isStranger } ?? false
    }

    /// The verdict for a name on the device that connects from an address. Before the first snapshot nothing is
    /// blocked; the server does not listen yet then.
    package func verdict(of name: String, at address: String, in snapshot: Snapshot? = nil) -> NameVerdict {
        guard !standsBeforeRules(name), let snapshot = snapshot ?? value else {
            return NameVerdict(block: nil)
        }
        return snapshot.verdict(of: name, by: answer(at: address, in: snapshot))
    }
}
