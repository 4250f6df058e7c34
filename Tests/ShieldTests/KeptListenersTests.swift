import Glibc
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Shield

/// One front door closes, another one opens the same socket, and connections made between are accepted.
@Suite(.timeLimit(.minutes(1))) struct KeptListenersTests {
    private final class Shelf: Sendable {
        private let sockets = Mutex<[SocketAddress: Int32]>([:])

        var kept: KeptListeners {
            KeptListeners(
                take: { [self] address in sockets.withLock { $0[address] }.map { dup($0) } },
                keep: { [self] descriptor, address in sockets.withLock { $0[address] = dup(descriptor) } },
                forget: { [self] address in
                    if let one = sockets.withLock({ $0.removeValue(forKey: address) }) { close(one) }
                })
        }
        var addresses: [SocketAddress] { sockets.withLock { Array($0.keys) } }
    }

    private let group = MultiThreadedEventLoopGroup.singleton
    private let house = TestHouse()

    private func door(_ shelf: Shelf, port: Int) -> FrontDoor {
        FrontDoor(
            configuration: DoorConfiguration(httpPort: port, httpsPort: nil, ownNames: ownNames),
            facts: house.facts, eventLoopGroup: group, logger: Logger(label: "test"), kept: shelf.kept,
            dashboard: { channel, _, _ in channel.eventLoop.makeFailedFuture(CancellationError()) })
    }

    @Test func whoKnocksInBetweenIsLetIn() async throws {
        let shelf = Shelf()
        let first = door(shelf, port: 0)
        let address = try #require(await first.start(addresses: ["127.0.0.1"]).opened.first)
        #expect(shelf.addresses == [address])
        await first.stop(within: .seconds(2))
        #expect(shelf.addresses == [address], "the next one has it")

        let guest = try await Caller(group, to: address)
        guest.say("GET / HTTP/1.1\r\nHost: blocked.example\r\n\r\n")
        let second = door(shelf, port: try #require(address.port))
        #expect(await second.start(addresses: ["127.0.0.1"]).opened == [address])
        #expect(try await guest.hear("<h1>blocked.example").contains("403"))

        #expect(await second.rebind(addresses: []).opened.isEmpty)
        #expect(shelf.addresses.isEmpty, "nobody listens there any more")
        await second.stop(within: .seconds(2))
    }
}
