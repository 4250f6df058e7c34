import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Encrypted upstreams that close their connections when it suits them (RFC 7766, 6.2.4; RFC 9113, 6.8).
@Suite(.timeLimit(.minutes(1))) struct BriefConnectionTests {
    typealias Carrier = EncryptedUpstreamTests.Carrier

    private static let address = [Message.a("93.184.216.34", ttl: 60)]

    private static func upstream(_ carrier: Carrier, answers most: Int) async throws -> SecureUpstream {
        let counts = Mutex<[Int: Int]>([:])
        return try await SecureUpstream(isHTTPS: carrier.isHTTPS) { received in
            let count = counts.withLock { counts in
                counts[received.connection, default: 0] += 1
                return counts[received.connection, default: 0]
            }
            if count <= most { received.reply(address) }
            if count == most { received.hangUp() }
        }
    }

    private static func codes(_ upstream: SecureUpstream, _ carrier: Carrier, _ count: UInt16) async throws
        -> [UInt16: Int]
    {
        let house = try await House.open([], before: [upstream.server(path: carrier.path)]) {
            $0.upstreamTLS = try? UpstreamTLS(roots: TestAuthority.shared.trusted)
            $0.upstreamPatience = [.seconds(20)]
        }
        let replies = try await house.exchange((0..<count).map { Message.query("n\($0).example", id: $0) })
        await house.close()
        await upstream.stop()
        return Dictionary(grouping: replies, by: \.rcode).mapValues(\.count)
    }

    @Test(arguments: Carrier.allCases, [1, 3, 7])
    func aBurstIsAnsweredWhole(carrier: Carrier, most: Int) async throws {
        let upstream = try await Self.upstream(carrier, answers: most)
        #expect(try await Self.codes(upstream, carrier, 40) == [0: 40])
    }

    @Test("A server that answers nothing gets few connections", arguments: Carrier.allCases)
    func withoutProgress(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { $0.hangUp() }
        #expect(try await Self.codes(upstream, carrier, 40) == [2: 40])
        // Those that were opening when the third in a row failed end as well; a busy machine opens more meanwhile.
        #expect(upstream.opened <= 20)
    }

    @Test("One question that ends every connection does not take others along", arguments: Carrier.allCases)
    func aPoisonousQuestion(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { received in
            String(decoding: received.query, as: UTF8.self).contains("n7")
                ? received.hangUp() : received.reply(Self.address)
        }
        #expect(try await Self.codes(upstream, carrier, 10) == [0: 9, 2: 1])
    }
}
