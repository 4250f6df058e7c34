import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Upstreams over TLS (RFC 7858, 8310) and HTTPS (RFC 8484).
@Suite(.timeLimit(.minutes(1))) struct EncryptedUpstreamTests {
    enum Carrier: CaseIterable, Sendable {
        case tls, https
        var isHTTPS: Bool { self == .https }
        var path: String? { self == .https ? "/dns-query" : nil }
    }

    private static let address = [Message.a("93.184.216.34", ttl: 60)]

    private static func house(
        _ servers: [UpstreamServer], _ fakes: [FakeUpstream] = [],
        _ change: (inout DNS.Resolver.Configuration) -> Void = { _ in }
    ) async throws -> House {
        try await House.open(fakes, before: servers) { configuration in
            configuration.upstreamTLS = try? UpstreamTLS(roots: TestAuthority.shared.trusted)
            change(&configuration)
        }
    }

    @Test(arguments: Carrier.allCases)
    func isAskedInOnePaddedMessageWithoutWhatTheClientAdded(carrier: Carrier) async throws {
        let seen = Mutex<[[UInt8]]>([])
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { received in
            seen.withLock { $0.append(received.query) }
            received.reply(Self.address)
        }
        let house = try await Self.house([upstream.server(path: carrier.path)])
        for name in [
            "a.example", "a-longer-name-than-that.example", String(repeating: "x", count: 60) + ".org",
        ] {
            #expect(try await house.ask(name)?.answers.first?.address == "93.184.216.34")
        }
        let queries = seen.withLock { $0 }
        #expect(queries.map(\.count) == [128, 128, 128])
        #expect(queries.allSatisfy { Message($0).opt?.data.starts(with: [0, 12]) == true })
        if carrier.isHTTPS { #expect(queries.allSatisfy { $0.starts(with: [0, 0]) }) }
        #expect(upstream.opened == 1)
        await house.close()
        await upstream.stop()
    }

    @Test(arguments: Carrier.allCases)
    func repliesComeInAnyOrder(carrier: Carrier) async throws {
        let held = Mutex<[SecureUpstream.Received]>([])
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { received in
            let all = held.withLock { held in
                held.append(received)
                return held.count == 5 ? held : []
            }
            for received in all.reversed() {
                // The last octet of the answer is the first letter of the name.
                received.reply([
                    Message.Record(type: 1, ttl: 60, data: [93, 184, 216, received.query[13]])
                ])
            }
        }
        let house = try await Self.house([upstream.server(path: carrier.path)])
        let names = ["a", "b", "c", "d", "e"]
        let replies = try await house.exchange(
            names.enumerated().map { Message.query("\($1).example", id: UInt16($0)) })
        for reply in replies {
            let letter = try #require(names[Int(reply.id)].utf8.first)
            #expect(reply.answers.first?.address == "93.184.216.\(letter)")
        }
        #expect(upstream.opened == 1)
        await house.close()
        await upstream.stop()
    }

    struct Identity: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var names: [String] = []
        var addresses: [[UInt8]] = []
        /// The upstream's name in the flag after `#`.
        var expected: String?
        var isGood: Bool
    }

    private static let identities = [
        Identity(testDescription: "its address", addresses: [[127, 0, 0, 1]], isGood: true),
        Identity(testDescription: "another address", addresses: [[127, 0, 0, 2]], isGood: false),
        Identity(
            testDescription: "the name", names: ["dns.example"], expected: "dns.example", isGood: true),
        Identity(
            testDescription: "another name", names: ["dns.example"], expected: "evil.example", isGood: false),
        Identity(
            testDescription: "its address, but a name is wanted", addresses: [[127, 0, 0, 1]],
            expected: "dns.example", isGood: false),
    ]

    @Test(arguments: Carrier.allCases, identities)
    func onlyTheRightCertificateIsAsked(carrier: Carrier, identity: Identity) async throws {
        let asked = Mutex(0)
        let upstream = try await SecureUpstream(
            isHTTPS: carrier.isHTTPS, names: identity.names, addresses: identity.addresses
        ) { received in
            asked.withLock { $0 += 1 }
            received.reply(Self.address)
        }
        let house = try await Self.house([upstream.server(path: carrier.path, name: identity.expected)])
        let reply = try await house.ask("a.example")
        #expect(reply?.rcode == (identity.isGood ? 0 : 2))
        #expect(asked.withLock { $0 } == (identity.isGood ? 1 : 0))
        await house.close()
        await upstream.stop()
    }

    @Test(arguments: [
        ("dns.quad9.net", "dns.quad9.net", true), ("DNS.Quad9.net", "dns.quad9.net", true),
        ("*.quad9.net", "dns.quad9.net", true), ("*.quad9.net", "a.dns.quad9.net", false),
        ("*.quad9.net", "quad9.net", false), ("*.net", "quad9.net", false), ("*", "localhost", false),
        ("d*.quad9.net", "dns.quad9.net", false), ("dns.*.net", "dns.quad9.net", false),
        ("", "dns.quad9.net", false), ("dns.quad9.net.", "dns.quad9.net", false),
    ])
    func namesInCertificates(pattern: String, name: String, isHeld: Bool) {
        #expect(CertificateName.matches(pattern: pattern, name) == isHeld)
    }

    @Test(arguments: Carrier.allCases)
    func anAuthorityThatNobodyTrustsIsNotAsked(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { $0.reply(Self.address) }
        let house = try await Self.house([upstream.server(path: carrier.path)]) {
            $0.upstreamTLS = try? UpstreamTLS()
        }
        #expect(try await house.ask("a.example")?.rcode == 2)
        await house.close()
        await upstream.stop()
    }

    @Test(arguments: Carrier.allCases)
    func whatAConnectionLeavesUnansweredIsAskedOnceMore(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { received in
            if received.connection == 1 { received.hangUp() } else { received.reply(Self.address) }
        }
        let house = try await Self.house([upstream.server(path: carrier.path)])
        #expect(try await house.ask("a.example")?.rcode == 0)
        #expect(upstream.opened == 2)
        await house.close()
        await upstream.stop()
    }

    @Test(arguments: Carrier.allCases)
    func aConnectionThatAlwaysEndsFailsOver(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { $0.hangUp() }
        let plain = try await FakeUpstream(House.group) { $0.reply(Self.address) }
        let house = try await Self.house([upstream.server(path: carrier.path)], [plain])
        #expect(try await house.ask("a.example")?.rcode == 0)
        #expect(upstream.opened == 2)
        await house.close()
        await upstream.stop()
    }

    @Test(arguments: Carrier.allCases)
    func aSilentServerIsHedged(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { _ in }
        let plain = try await FakeUpstream(House.group) { $0.reply(Self.address) }
        let house = try await Self.house([upstream.server(path: carrier.path)], [plain]) {
            $0.upstreamPatience = [.milliseconds(50), .seconds(20)]
        }
        #expect(try await house.ask("a.example")?.rcode == 0)
        #expect(plain.queries.count == 1)
        // It backs off now: the next question goes past it at once.
        #expect(try await house.ask("b.example")?.rcode == 0)
        await house.close()
        await upstream.stop()
    }

    /// Asks one question after the other, until a second connection carries them.
    private static func askUntilReopened(_ upstream: SecureUpstream, _ house: House) async throws {
        var count = 0
        while upstream.opened == 1 {
            count += 1
            #expect(try await house.ask("n\(count).example")?.rcode == 0)
        }
    }

    @Test(arguments: Carrier.allCases)
    func idleConnectionsCloseAndOpenAgain(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { $0.reply(Self.address) }
        let house = try await Self.house([upstream.server(path: carrier.path)]) {
            $0.linePatience.idle = .zero
        }
        #expect(try await house.ask("a.example")?.rcode == 0)
        try await Self.askUntilReopened(upstream, house)
        await house.close()
        await upstream.stop()
    }

    @Test(arguments: Carrier.allCases)
    func whatIsNeverAnsweredDoesNotHoldAConnectionForGood(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { received in
            if received.query[13] != UInt8(ascii: "s") { received.reply(Self.address) }
        }
        let house = try await Self.house([upstream.server(path: carrier.path)]) {
            $0.linePatience.idle = .zero
            $0.linePatience.silence = .milliseconds(300)
            $0.upstreamPatience = [.milliseconds(250)]
        }
        #expect(try await house.ask("silent.example")?.rcode == 2)
        try await Self.askUntilReopened(upstream, house)
        await house.close()
        await upstream.stop()
    }

    @Test(arguments: Carrier.allCases)
    func aNameIsLookedUpAtTheBootstrapServer(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(
            isHTTPS: carrier.isHTTPS, names: ["dns.example"], addresses: []
        ) { $0.reply(Self.address) }
        let bootstrap = try await FakeUpstream(House.group) { received in
            let isV4 = Message(received.query).question.suffix(4).starts(with: [0, 1])
            received.reply([
                isV4
                    ? Message.a("127.0.0.1", ttl: 60)
                    : .init(type: 28, ttl: 60, data: Array(repeating: 0, count: 15) + [1])
            ])
        }
        let house = try await Self.house([upstream.server(path: carrier.path, host: "dns.example")]) {
            $0.network.bootstrapServers = [UpstreamServer(bootstrap.address)]
        }
        #expect(try await house.ask("a.example")?.rcode == 0)
        #expect(try await house.ask("b.example")?.rcode == 0)
        // A and AAAA, once; no other question goes there.
        #expect(bootstrap.queries.count == 2)
        await house.close()
        await bootstrap.stop()
        await upstream.stop()
    }

    @Test(arguments: [("404", "application/dns-message"), ("200", "text/html"), ("500", "text/plain")])
    func whatIsNoAnswerInHTTPIsAFailure(status: String, type: String) async throws {
        let upstream = try await SecureUpstream(isHTTPS: true) { received in
            received.reply(
                Message.response(to: received.query, Self.address).bytes, status: status, type: type)
        }
        let house = try await Self.house([upstream.server(path: "/dns-query")])
        #expect(try await house.ask("a.example")?.rcode == 2)
        await house.close()
        await upstream.stop()
    }

    @Test(arguments: Carrier.allCases)
    func aReplyToAnotherQuestionIsNotTaken(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { received in
            var wrong = Message.query("other.example", id: Message(received.query).id)
            wrong[2] |= 0x80
            received.reply(wrong)
            if !carrier.isHTTPS { received.reply(Self.address) }
        }
        let house = try await Self.house([upstream.server(path: carrier.path)]) {
            $0.upstreamPatience = [.seconds(1)]
        }
        #expect(try await house.ask("a.example")?.rcode == (carrier.isHTTPS ? 2 : 0))
        await house.close()
        await upstream.stop()
    }
}
