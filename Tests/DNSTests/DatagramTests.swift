import Dispatch
import Glibc
import NIOCore
import NIOPosix
import Testing

@testable import DNS

/// Many questions at a time over UDP.
@Suite(.timeLimit(.minutes(1))) struct DatagramTests {
    /// A socket that sends and receives while event loops wait.
    private struct Asker {
        private let descriptor: Int32

        init(_ address: SocketAddress) {
            descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            var patience = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            address.withSockAddr { pointer, size in _ = connect(descriptor, pointer, socklen_t(size)) }
        }

        func send(_ ids: Range<UInt16>) {
            for id in ids {
                let packet = Message.query("localhost", id: id)
                _ = Glibc.send(descriptor, packet, packet.count, 0)
            }
        }

        func receive(_ count: Int) -> [UInt16] {
            var packet = [UInt8](repeating: 0, count: 512)
            return (0..<count).compactMap { _ in
                recv(descriptor, &packet, packet.count, 0) > 2
                    ? UInt16(packet[0]) << 8 | UInt16(packet[1]) : nil
            }
        }

        func close() { Glibc.close(descriptor) }
    }

    /// They arrive while the event loop is busy, so that it looks at the socket from time to time instead of being told.
    /// Then a single one comes, after the looks have ended.
    @Test func aCrowdIsAnsweredAndWhoComesLater() async throws {
        let house = try await House.open([])
        let asker = Asker(house.address)
        for start in stride(from: UInt16(0), to: 300, by: 100) {
            let isSent = DispatchSemaphore(value: 0)
            House.oneLoop.next().execute { isSent.wait() }
            asker.send(start..<start + 60)
            isSent.signal()
            asker.send(start + 60..<start + 90)
            #expect(asker.receive(90) == Array(start..<start + 90))
            // Real time: nothing says when a look has found nothing.
            usleep(20_000)
            asker.send(start + 90..<start + 91)
            #expect(asker.receive(1) == [start + 90])
        }
        asker.close()
        await house.close()
    }
}
