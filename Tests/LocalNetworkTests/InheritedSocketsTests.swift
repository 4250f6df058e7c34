import Glibc
import LocalNetwork
import Testing

@Suite struct InheritedSocketsTests {
    /// A socket on loopback, at a number above all others, because systemd numbers them in sequence.
    private static func bound(_ kind: __socket_type, at descriptor: Int32, family: Int32 = AF_INET) -> UInt16
    {
        let made = socket(family, Int32(kind.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(made, $0, length)
                _ = getsockname(made, $0, &length)
            }
        }
        dup2(made, descriptor)
        close(made)
        return UInt16(bigEndian: address.sin_port)
    }

    private static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    private static func take(from first: Int32, _ count: Int, names: String? = nil, process: Int32 = getpid())
        -> [BoundSocket]
    {
        let values = [
            "LISTEN_PID": "\(process)", "LISTEN_FDS": "\(count)", "LISTEN_FDNAMES": names,
        ]
        return InheritedSockets.take(first: first) { values[$0] ?? nil }
    }

    @Test func whatIsBoundIsTakenOver() {
        let udp = Self.bound(SOCK_DGRAM, at: 700)
        let tcp = Self.bound(SOCK_STREAM, at: 701)
        let sockets = Self.take(from: 700, 2, names: "udp-53-127.0.0.1:")
        let home: [UInt8] = [127, 0, 0, 1]
        #expect(
            sockets.map(\.place) == [
                .init(octets: home, port: udp, isDatagram: true),
                .init(octets: home, port: tcp, isDatagram: false),
            ])
        #expect(sockets.map(\.name) == ["udp-53-127.0.0.1", ""])
        for socket in sockets {
            #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
            #expect(fcntl(socket.descriptor, F_GETFL) & O_NONBLOCK != 0)
            close(socket.descriptor)
        }
    }

    @Test func whatIsNoSocketOrComesTwiceIsClosed() {
        _ = Self.bound(SOCK_DGRAM, at: 710)
        dup2(710, 711)
        dup2(0, 712)
        let unix = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        dup2(unix, 713)
        close(unix)
        let sockets = Self.take(from: 710, 4)
        #expect(sockets.map(\.descriptor) == [710])
        #expect((710...713).map(Self.isOpen) == [true, false, false, false])
        close(710)
    }

    @Test func whatWasMeantForAnotherProcessIsLeftAlone() {
        _ = Self.bound(SOCK_DGRAM, at: 720)
        #expect(Self.take(from: 720, 1, process: getpid() + 1).isEmpty)
        #expect(InheritedSockets.take(first: 720) { _ in nil }.isEmpty)
        #expect(InheritedSockets.take(first: 720) { $0 == "LISTEN_PID" ? "\(getpid())" : "-1" }.isEmpty)
        #expect(Self.isOpen(720))
        close(720)
    }

    @Test func anIPv6AddressHasSixteenBytes() throws {
        let made = socket(AF_INET6, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(made) }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        let length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, length) }
        }
        try #require(status == 0)
        let place = try #require(BoundSocket(made, name: "")?.place)
        #expect(place.octets == Array(repeating: 0, count: 15) + [1])
        #expect(place.zone == 0 && place.port > 0 && place.isDatagram)
    }
}
