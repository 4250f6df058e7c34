import Policy
import Synchronization

/// The newest snapshot, for whoever asks from any thread.
final class LatestSnapshot: Sendable {
    private let newest = Mutex<Snapshot?>(nil)
    private let standsBeforeRules: @Sendable (String) -> Bool

    /// - Parameter standsBeforeRules: tells the server's own names and those of the home, which nothing blocks.
    init(standsBeforeRules: @escaping @Sendable (String) -> Bool) {
        self.standsBeforeRules = standsBeforeRules
    }

    var value: Snapshot? { newest.withLock { $0 } }

    func replace(with snapshot: Snapshot) { newest.withLock { $0 = snapshot } }

    /// The verdict for a name on the device at an address; before the first snapshot nothing is blocked, and nobody
    /// is listening yet either.
    func verdict(of name: String, at address: String) -> NameVerdict {
        if standsBeforeRules(name) { return NameVerdict(block: nil) }
        return value?.verdict(of: name, deviceAt: address) ?? NameVerdict(block: nil)
    }
}
