import NIOCore
import NIOEmbedded
import Testing

@testable import Shield

@Suite struct JointWritesTests {
    private static func sizes(_ writes: [Int]) throws -> [Int] {
        let channel = EmbeddedChannel(handler: JointWrites())
        for size in writes { channel.write(ByteBuffer(repeating: 1, count: size), promise: nil) }
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        channel.flush()
        var sizes: [Int] = []
        while let part = try channel.readOutbound(as: ByteBuffer.self) { sizes.append(part.readableBytes) }
        return sizes
    }

    @Test func smallWritesBecomeOne() throws {
        #expect(try Self.sizes([9, 80, 9, 50]) == [148])
        #expect(try Self.sizes([]) == [])
    }

    @Test func aLargeWriteStaysInItsPlace() throws {
        #expect(try Self.sizes([9, 5000, 7, 8]) == [9, 5000, 15])
    }

    @Test func nothingGrowsBeyondARecord() throws {
        #expect(try Self.sizes([Int](repeating: 4000, count: 5)) == [16_000, 4000])
    }

    @Test func everyPromiseIsKept() throws {
        let channel = EmbeddedChannel(handler: JointWrites())
        let done = (0..<3).map { _ in channel.write(ByteBuffer(string: "a")) }
        channel.flush()
        for one in done { try one.wait() }
    }
}
