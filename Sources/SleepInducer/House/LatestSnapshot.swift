import Policy
import Synchronization

/// The newest snapshot, for whoever asks from any thread.
final class LatestSnapshot: Sendable {
    private let newest = Mutex<Snapshot?>(nil)

    var value: Snapshot? { newest.withLock { $0 } }

    func replace(with snapshot: Snapshot) { newest.withLock { $0 = snapshot } }

    /// The verdict for a name on the device at an address; before the first snapshot nothing is blocked, and nobody
    /// is listening yet either.
    func verdict(of name: String, at address: String) -> NameVerdict {
        value?.verdict(of: name, deviceAt: address) ?? NameVerdict(block: nil)
    }
}
