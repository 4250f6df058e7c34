import DNS
import LocalNetwork
import NIOCore
import Shield

extension SocketShelf {
    /// The shelf as DNS knows it.
    var names: KeptSockets {
        KeptSockets(
            count: { [self] in Binding($0, isDatagram: $1 == .datagram).map(count) ?? 0 },
            take: { [self] address, transport, index in
                Binding(address, isDatagram: transport == .datagram).flatMap { take($0, index) }
            },
            keep: { [self] descriptor, address, transport in
                if let place = Binding(address, isDatagram: transport == .datagram) {
                    keep(descriptor, place)
                }
            },
            forget: { [self] in if let place = Binding($0, isDatagram: $1 == .datagram) { forget(place) } })
    }

    /// The shelf as the front door knows it.
    var doors: KeptListeners {
        KeptListeners(
            take: { [self] in Binding($0, isDatagram: false).flatMap { take($0, 0) } },
            keep: { [self] descriptor, address in
                if let place = Binding(address, isDatagram: false) { keep(descriptor, place) }
            },
            forget: { [self] in if let place = Binding($0, isDatagram: false) { forget(place) } })
    }
}

extension BoundSocket.Binding {
    /// Nil for Unix sockets.
    init?(_ address: SocketAddress, isDatagram: Bool) {
        let place = address.withSockAddr { pointer, _ in
            BoundSocket.Binding(UnsafeRawPointer(pointer), isDatagram: isDatagram)
        }
        guard let place else { return nil }
        self = place
    }

    /// What systemd calls it: `udp-53-192.168.1.5`, `tcp-80-fe80__1%2`. A colon is not allowed there.
    var name: String {
        let address =
            (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: octets), port: 0))?.ipAddress ?? ""
        let end = zone == 0 ? "" : "%\(zone)"
        return "\(isDatagram ? "udp" : "tcp")-\(port)-\(address.replacing(":", with: "_"))\(end)"
    }
}
