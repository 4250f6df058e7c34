import DNS
import NIOCore
import Synchronization

/// The kernel's table of neighbours, kept for a moment, so that not every packet from an address that nobody knows reads
/// it.
final class Neighbours: Sendable {
    private struct Table {
        var hardware: [String: String] = [:]
        var readAt = NIODeadline.distantPast
    }

    private static let freshness = TimeAmount.milliseconds(50)
    /// Between two looks that want it anew, so that a flood of connections does not become one of looks.
    private static let leastPause = TimeAmount.milliseconds(1)

    private let read: @Sendable () -> [String: String]
    private let table = Mutex(Table())

    init(_ read: @escaping @Sendable () -> [String: String]) { self.read = read }

    /// Hardware addresses by canonical address, at most 50 ms old.
    var hardware: [String: String] { hardware(within: Self.freshness) }

    /// The same, read anew where somebody is not in it who has connected: the kernel knows whoever did.
    func hardware(withConnected address: String) -> [String: String] {
        let kept = hardware
        return kept[address] == nil ? hardware(within: Self.leastPause) : kept
    }

    /// The hardware address of a neighbour; `anew` is for who has just been heard of by the kernel.
    func hardware(of address: ClientAddress, anew: Bool) -> HardwareAddress? {
        hardware(within: anew ? Self.leastPause : Self.freshness)[address.text].flatMap {
            HardwareAddress($0)
        }
    }

    private func hardware(within age: TimeAmount) -> [String: String] {
        table.withLock { table in
            let now = NIODeadline.now()
            if table.readAt + age < now { table = Table(hardware: read(), readAt: now) }
            return table.hardware
        }
    }
}
