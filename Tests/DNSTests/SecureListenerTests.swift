import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import DNS

/// The server side of DNS over TLS (RFC 7858, 7830, 8467).
@Suite(.timeLimit(.minutes(1))) struct SecureListenerTests {
    private static func house(
        _ fakes: [FakeUpstream] = [], filter: Filter = .empty,
        _ change: (inout DNS.Resolver.Configuration) -> Void = { _ in }
    ) async throws -> House {
        try await House.open(fakes, filter: filter, servesTLS: true, change)
    }

    private static func padded(_ name: String, _ type: UInt16 = 1, id: UInt16 = 7) -> [UInt8] {
        var query = Message.query(name, type, id: id, edns: 1232)
        query.replaceSubrange(query.count - 2..<query.count, with: Message.words(4, 12, 0))
        return query
    }

    @Test func manyQueriesOnAConnection() async throws {
        let upstream = try await FakeUpstream(House.group) { $0.reply([Message.a("93.184.216.34", ttl: 60)]) }
        let house = try await Self.house([upstream])
        let queries = (0..<50).map { Client.framed(Message.query("n\($0 % 5).example", id: $0)) }
        let replies = try await house.connect(.tls).exchange(queries)
        #expect(Set(replies.map(\.id)) == Set(0..<50))
        #expect(replies.allSatisfy { $0.answers.first?.address == "93.184.216.34" })
        await house.close()
    }

    @Test func answersThatAreThereTogetherShareARecord() async throws {
        let house = try await Self.house()
        var records: [Int] = []
        for count in [1, 50] {
            let counted = RecordCount()
            let client = try await Client.connect(
                House.group, to: house.secureAddress, overTCP: true, overTLS: true, counting: counted)
            let queries = (0..<count).flatMap { Client.framed(Message.query("localhost", id: UInt16($0))) }
            let replies = try await client.exchange([queries], count: count)
            #expect(replies.map { Int($0.id) } == Array(0..<count))
            records.append(counted.value.load(ordering: .relaxed))
        }
        #expect(records[0] > 0)
        #expect(records[0] == records[1])
        await house.close()
    }

    @Test(arguments: ["localhost", "nowhere.invalid", "a.example", "sleep.home.arpa"])
    func repliesArePaddedForThoseWhoPad(name: String) async throws {
        let upstream = try await FakeUpstream(House.group) { $0.reply([Message.a("93.184.216.34", ttl: 60)]) }
        let house = try await Self.house([upstream])
        let replies = try await house.connect(.tls).exchange(
            [Self.padded(name), Message.query(name, id: 8, edns: 1232)].map(Client.framed))
        let sizes = Dictionary(uniqueKeysWithValues: replies.map { ($0.id, $0.bytes.count) })
        #expect(try #require(sizes[7]) == 468)
        #expect(try #require(sizes[8]) < 200)
        #expect(replies.first { $0.id == 7 }?.opt?.data.prefix(2) == [0, 12])
        await house.close()
    }

    /// In plain, padding hides nothing and would make a reply larger than its query.
    @Test func nothingIsPaddedInPlain() async throws {
        let house = try await Self.house()
        let query = Self.padded("localhost")
        #expect(try await house.exchange([query]).first?.opt?.data == [])
        #expect(try await house.connect(.tcp).exchange([Client.framed(query)]).first?.opt?.data == [])
        await house.close()
    }

    @Test(arguments: [[], [0x16], [0x16, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3]] as [[UInt8]])
    func aHandshakeThatDoesNotEndIsClosed(bytes: [UInt8]) async throws {
        let house = try await Self.house { $0.connectionPatience = .milliseconds(300) }
        let packets = bytes.isEmpty ? [] : [bytes]
        let client = try await Client.connect(House.group, to: house.secureAddress, overTCP: true)
        #expect(try await client.exchange(packets, count: 1).isEmpty)
        await house.close()
    }

    @Test(arguments: [[0], [0, 40, 1, 2, 3]] as [[UInt8]])
    func anUnfinishedMessageCloses(bytes: [UInt8]) async throws {
        let house = try await Self.house { $0.connectionPatience = .milliseconds(300) }
        let packets = [Client.framed(Message.query("localhost")), bytes]
        #expect(try await house.connect(.tls).exchange(packets, count: 2).count == 1)
        await house.close()
    }

    /// TLS 1.3 lets one side end before the other (RFC 8446, 6.1).
    @Test func whoHasSaidEverythingStillHearsTheAnswers() async throws {
        let held = Mutex<[FakeUpstream.Received]>([])
        let upstream = try await FakeUpstream(House.group) { received in held.withLock { $0.append(received) }
        }
        let house = try await Self.house([upstream])
        let queries = (0..<3).map { Client.framed(Message.query("half\($0).example", id: $0)) }
        async let replies = house.connect(.tls).exchange(queries, closes: true)
        while held.withLock({ $0.count }) < 3 { await Task.yield() }
        // Time for the farewell, which nothing here can see.
        try await Task.sleep(for: .milliseconds(100))
        for received in held.withLock({ $0 }) { received.reply([Message.a("93.184.216.34", ttl: 60)]) }
        #expect(try await replies.count == 3)
        await house.close()
    }

    @Test func idleConnectionsAreKeptLongerThanInPlain() async throws {
        let house = try await Self.house {
            $0.connectionPatience = .seconds(30)
            $0.secureIdleTime = .milliseconds(300)
        }
        let query = Client.framed(Message.query("localhost"))
        #expect(try await house.connect(.tls).exchange([query], count: 2).count == 1)
        await house.close()
    }

    @Test func withoutACertificateNobodyIsKeptWaiting() async throws {
        let house = try await House.open([], servesTLS: true, presents: false)
        let client = try await Client.connect(House.group, to: house.secureAddress, overTCP: true)
        do {
            #expect(try await client.exchange([[0x16, 3, 1]], count: 1).isEmpty)
        } catch {
            // A reset, or the connection closed before the bytes went out.
            #expect(!(error is Client.Silence))
        }
        await house.close()
    }
}
