import Foundation
import Glibc
import LocalNetwork
import NIOCore
import Synchronization
import Testing

@testable import SleepInducer

/// Sockets that outlive their channels, and what the service manager is told of them.
@Suite struct SocketShelfTests {
    /// Writes down what it is asked.
    private final class Notes: Sendable {
        private let lines = Mutex<[String]>([])
        var cupboard: SocketShelf.Cupboard {
            .init(
                keep: { [self] _, name in lines.withLock { $0.append("keep \(name)") } },
                forget: { [self] name in lines.withLock { $0.append("forget \(name)") } })
        }
        var all: [String] { lines.withLock { $0 } }
    }

    /// A UDP socket on loopback.
    private static func bound() throws -> (descriptor: Int32, place: BoundSocket.Binding) {
        let made = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0)
        return (made, try #require(BoundSocket(made, name: "")).place)
    }

    private static func inode(_ descriptor: Int32) -> UInt64 {
        BoundSocket(descriptor, name: "")?.inode ?? 0
    }

    @Test func whatIsKeptIsTheSameSocket() throws {
        let notes = Notes()
        let shelf = SocketShelf(cupboard: notes.cupboard)
        let (descriptor, place) = try Self.bound()
        shelf.keep(descriptor, place)
        let inode = Self.inode(descriptor)
        close(descriptor)
        #expect(shelf.count(place) == 1)
        let taken = try #require(shelf.take(place, 0))
        #expect(Self.inode(taken) == inode)
        #expect(shelf.take(place, 1) == nil)
        close(taken)
        #expect(shelf.forgetUnclaimed() == 0)
        shelf.forget(place)
        #expect(shelf.count(place) == 0)
        let name = "udp-\(place.port)-127.0.0.1"
        #expect(notes.all == ["keep \(name)", "forget \(name)"])
    }

    @Test func whatWasInheritedAndFitsNothingIsClosed() throws {
        let notes = Notes()
        let (kept, keptPlace) = try Self.bound()
        let (units, unitsPlace) = try Self.bound()
        let (used, usedPlace) = try Self.bound()
        let shelf = SocketShelf(
            [
                try #require(BoundSocket(kept, name: keptPlace.name)),
                try #require(BoundSocket(units, name: "sleep-inducer.socket")),
                try #require(BoundSocket(used, name: usedPlace.name)),
            ], cupboard: notes.cupboard)
        let taken = try #require(shelf.take(usedPlace, 0))
        #expect(shelf.forgetUnclaimed() == 2)
        #expect([kept, units, used].map { fcntl($0, F_GETFD) >= 0 } == [false, false, true])
        #expect(shelf.count(unitsPlace) == 0)
        // What a socket unit owns is not asked back.
        #expect(notes.all == ["forget \(keptPlace.name)"])
        close(taken)
    }

    @Test func everythingIsClosedWithTheShelf() throws {
        let (descriptor, place) = try Self.bound()
        var shelf: SocketShelf? = SocketShelf([try #require(BoundSocket(descriptor, name: ""))])
        #expect(shelf?.count(place) == 1)
        shelf = nil
        #expect(fcntl(descriptor, F_GETFD) < 0)
    }

    @Test(
        arguments: [
            ("192.168.1.5", 53, true, "udp-53-192.168.1.5"), ("fd00::1", 443, false, "tcp-443-fd00__1"),
            ("fe80::1%lo", 853, false, "tcp-853-fe80__1%1"), ("::", 80, false, "tcp-80-__"),
        ])
    func namesHoldNoColon(text: String, port: Int, isDatagram: Bool, name: String) throws {
        let address = try SocketAddress(ipAddress: text, port: port)
        let place = try #require(SocketShelf.Binding(address, isDatagram: isDatagram))
        #expect(place.name == name)
    }
}
