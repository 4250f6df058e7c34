import DNS
import NIOCore
import Policy
import Synchronization

/// The kernel's table of neighbours, kept for a moment, so that not every packet from an address that nobody knows reads
/// it.
final class Neighbours: Sendable {
    private struct Table {
        var hardware: [String: String] = [:]
        var readAt = NIODeadline.distantPast
        var readAnewAt = NIODeadline.distantPast
    }

    private static let freshness = TimeAmount.milliseconds(50)
    /// Between two looks that want it anew, so that a flood of connections does not become one of looks.
    private static let leastPause = TimeAmount.milliseconds(1)

    private let read: @Sendable () -> [String: String]
    private let table = Mutex(Table())

    init(_ read: @escaping @Sendable () -> [String: String]) { self.read = read }

    /// Hardware addresses by canonical address, at most 50 ms old.
    var hardware: [String: String] {
        table.withLock { table in
            let now = NIODeadline.now()
            if table.readAt + Self.freshness < now { (table.hardware, table.readAt) = (read(), now) }
            return table.hardware
        }
    }

    /// The same, read anew where somebody is not in it who has connected: the kernel knows whoever did.
    func hardware(withConnected address: String) -> [String: String] {
        let kept = hardware
        return kept[address] == nil ? hardwareAnew : kept
    }

    /// The hardware address of a neighbour; `anew` is for who has just been heard of by the kernel.
    func hardware(of address: ClientAddress, anew: Bool) -> HardwareAddress? {
        (anew ? hardwareAnew : hardware)[address.text].flatMap { HardwareAddress($0) }
    }

    /// The holder that a connection from an address counts for: the same as in DNS.
    func holder(ofConnected address: String) -> Holder {
        guard let client = ClientAddress(address) else { return Holder(address) }
        let hardware = hardware(of: client, anew: false) ?? hardware(of: client, anew: true)
        return Holder(hardware: hardware?.text, address: client.text)
    }

    /// Who asks over TCP asked over UDP less than a millisecond ago: what was read then does not count.
    private var hardwareAnew: [String: String] {
        table.withLock { table in
            let now = NIODeadline.now()
            if table.readAnewAt + Self.leastPause < now {
                table = Table(hardware: read(), readAt: now, readAnewAt: now)
            }
            return table.hardware
        }
    }
}
