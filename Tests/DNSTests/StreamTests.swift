import NIOCore
import Synchronization
import Testing

@testable import DNS

/// TCP by RFC 7766 and RFC 9210.
@Suite(.timeLimit(.minutes(1))) struct StreamTests {
    private static func connect(_ house: House) async throws -> Client {
        try await Client.connect(House.group, to: house.address, overTCP: true)
    }

    @Test func manyQueriesInOnePieceAndByteByByte() async throws {
        let house = try await House.open([])
        let queries = (0..<50).flatMap { Client.framed(Message.query("localhost", id: $0)) }
        let whole = try await Self.connect(house).exchange([queries], count: 50)
        #expect(whole.map(\.id) == Array(0..<50))
        let bytes = Client.framed(Message.query("localhost", id: 9)).map { [$0] }
        #expect(try await Self.connect(house).exchange(bytes, count: 1).map(\.id) == [9])
        await house.close()
    }

    @Test func manyFailuresInOnePiece() async throws {
        let house = try await House.open([])
        let queries = (0..<3000).flatMap { Client.framed(Message.query("nowhere.example", id: $0)) }
        let replies = try await Self.connect(house).exchange([queries], count: 3000)
        #expect(replies.allSatisfy { $0.rcode == 2 })
        #expect(Set(replies.map(\.id)).count == 3000)
        await house.close()
    }

    @Test func answersOvertakeEachOther() async throws {
        let held = Mutex<FakeUpstream.Received?>(nil)
        let upstream = try await FakeUpstream(House.group) { received in held.withLock { $0 = received } }
        let house = try await House.open([upstream])
        let client = try await Self.connect(house)
        async let replies = client.exchange([
            Client.framed(Message.query("slow.example", id: 1)),
            Client.framed(Message.query("localhost", id: 2)),
        ])
        while await house.resolver.collect().metrics.queries < 2 { await Task.yield() }
        while held.withLock({ $0 == nil }) { await Task.yield() }
        held.withLock { $0?.reply([Message.a("93.184.216.34", ttl: 9)]) }
        #expect(try await replies.map(\.id) == [2, 1])
        await house.close()
    }

    @Test func whoHasSaidEverythingStillHearsTheAnswers() async throws {
        let upstream = try await FakeUpstream(House.group) { $0.reply([Message.a("93.184.216.34", ttl: 9)]) }
        let house = try await House.open([upstream])
        let queries = (0..<3).map { Client.framed(Message.query("half\($0).example", id: $0)) }
        #expect(try await Self.connect(house).exchange(queries, closes: true).count == 3)
        await house.close()
    }

    @Test(arguments: [[], [0], [0, 40, 1, 2, 3]] as [[UInt8]])
    func anUnfinishedMessageClosesTheConnection(bytes: [UInt8]) async throws {
        let house = try await House.open([]) { $0.connectionPatience = .milliseconds(500) }
        let packets = bytes.isEmpty ? [] : [bytes]
        #expect(try await Self.connect(house).exchange(packets, count: 1).isEmpty)
        await house.close()
    }

    @Test(arguments: [[0, 0], [0, 3, 1, 2, 3]] as [[UInt8]])
    func whatIsNoQueryClosesTheConnection(bytes: [UInt8]) async throws {
        let house = try await House.open([])
        #expect(try await Self.connect(house).exchange([bytes], count: 1).isEmpty)
        await house.close()
    }
}
