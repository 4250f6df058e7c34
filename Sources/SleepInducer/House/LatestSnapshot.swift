import Policy
import Synchronization

/// The newest snapshot, for whoever asks from any thread.
final class LatestSnapshot: Sendable {
    private let newest = Mutex<Snapshot?>(nil)
    private let doubtful = Mutex<Set<String>>([])
    /// A bound on memory.
    private static let mostDoubtful = 1024
    private let standsBeforeRules: @Sendable (String) -> Bool
    private let neighbours: @Sendable (_ address: String) -> [String: String]

    /// - Parameters:
    ///   - standsBeforeRules: tells the server's own names and those of the home, which nothing blocks.
    ///   - neighbours: hardware addresses by address, as the kernel knows them now that somebody has connected from one.
    init(
        standsBeforeRules: @escaping @Sendable (String) -> Bool,
        neighbours: @escaping @Sendable (_ address: String) -> [String: String] = { _ in [:] }
    ) {
        self.standsBeforeRules = standsBeforeRules
        self.neighbours = neighbours
    }

    var value: Snapshot? { newest.withLock { $0 } }

    func replace(with snapshot: Snapshot) { newest.withLock { $0 = snapshot } }

    /// The address by which the household knows whoever is at an address: a device that asked for a name over IPv4 opens
    /// the page over IPv6. Behind a forwarder that is its hardware address. Unchanged where nobody is known behind it.
    func known(_ address: String) -> String {
        guard let snapshot = value else { return address }
        let (household, table) = (snapshot.household, neighbours(address))
        if let known = household.device(at: address), let hardware = table[address],
            !known.has(hardware: hardware)
        {
            doubtful.withLock { if $0.count < Self.mostDoubtful { $0.insert(address) } }
        }
        let device =
            household.device(at: address, having: table[address], verdicts: snapshot.verdicts)
            ?? household.device(behind: address, neighbours: table)
        guard let device, !device.addresses.contains(address) else { return address }
        return device.addresses.first ?? device.hardwareAddress ?? address
    }

    /// Addresses of devices that others connected from since the last call, by their hardware addresses: they count as
    /// seen, so that nobody stays at another's address by asking for no name.
    func collectDoubtful() -> Set<String> {
        doubtful.withLock { doubtful in
            defer { doubtful = [] }
            return doubtful
        }
    }

    /// Whether a device is known at an address, as `known` gives it.
    func knows(_ address: String) -> Bool { value?.household.device(at: address) != nil }

    /// The verdict for a name on the device at an address; before the first snapshot nothing is blocked, and nobody
    /// is listening yet either.
    func verdict(of name: String, at address: String) -> NameVerdict {
        if standsBeforeRules(name) { return NameVerdict(block: nil) }
        return value?.verdict(of: name, deviceAt: address) ?? NameVerdict(block: nil)
    }
}
