import Glibc
import NIOCore
import Testing

@testable import Shield

@Suite struct SpliceTests {
    /// Two connected sockets that wait for nothing; `close` ends them.
    private static func pair() -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        #expect(socketpair(AF_UNIX, type, 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    private static func received(_ socket: CInt) -> [UInt8] {
        var (all, part) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while case let size = read(socket, &part, part.count), size > 0 { all += part[..<size] }
        return all
    }

    @Test func whatTheOtherSideDoesNotTakeIsGivenBackAndThePipeIsEmpty() throws {
        let splice = try #require(Splice())
        let (source, near) = Self.pair()
        let (far, sink) = Self.pair()
        defer { for socket in [source, near, far, sink] { close(socket) } }
        let allocator = ByteBufferAllocator()
        #expect(splice.move(near, to: far, allocator) == (0, nil))

        var (sent, rest, moved) = ([UInt8](), [UInt8](), 0)
        // Nobody reads at the sink, so it is full after a while.
        for round in 0..<1_000 {
            let bytes = (0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ round) }
            #expect(write(source, bytes, bytes.count) == bytes.count)
            sent += bytes
            let (count, left) = splice.move(near, to: far, allocator)
            moved += count
            if let left { rest = Array(buffer: left) }
            if left != nil { break }
        }
        #expect(!rest.isEmpty && moved == sent.count)
        #expect(Self.received(sink) + rest == sent)
        // The next connection gets its own bytes only.
        #expect(write(source, [7, 8, 9] as [UInt8], 3) == 3)
        #expect(splice.move(near, to: far, allocator) == (3, nil))
        #expect(Self.received(sink) == [7, 8, 9])
    }

    @Test func aSideThatHasGoneTakesNothing() throws {
        let splice = try #require(Splice())
        let (source, near) = Self.pair()
        let (far, sink) = Self.pair()
        defer { for socket in [near, far] { close(socket) } }
        signal(SIGPIPE, SIG_IGN)
        close(sink)
        #expect(write(source, [1, 2, 3] as [UInt8], 3) == 3)
        let (count, rest) = splice.move(near, to: far, ByteBufferAllocator())
        #expect(count == 3 && rest.map { Array(buffer: $0) } == [1, 2, 3])
        close(source)
        #expect(splice.move(near, to: far, ByteBufferAllocator()) == (0, nil))
    }
}

private func == (result: (count: Int, rest: ByteBuffer?), expected: (Int, ByteBuffer?)) -> Bool {
    result.count == expected.0 && result.rest == expected.1
}
