import NIOCore
import Testing

@testable import DNS

/// A server's answers and silences decide which server is asked first, and what a household is told.
@Suite struct UpstreamHealthTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private static func upstreams(_ count: Int) throws -> [Upstream] {
        try (1...count).map {
            Upstream(UpstreamServer(try SocketAddress(ipAddress: "192.0.2.\($0)", port: 53)))
        }
    }

    /// The order in which upstreams are asked at an instant, by their places in the configuration.
    private static func order(_ all: [Upstream], at now: NIODeadline) -> [Int?] {
        all.inOrder(at: now).map(all.firstIndex)
    }

    @Test func aSilentOneIsAskedLastThenByOneQuestionAtATime() throws {
        let all = try Self.upstreams(2)
        all[0].with { $0.wasSilent(sinceAsked: Self.start, at: Self.start + .milliseconds(400)) }
        #expect(Self.order(all, at: Self.start + .seconds(1)) == [1, 0])
        let due = Self.start + .seconds(11)
        #expect(Self.order(all, at: due) == [0, 1])
        #expect(Self.order(all, at: due) == [1, 0])
        all[0].with { $0.answered(at: due + .milliseconds(20)) }
        #expect(Self.order(all, at: due + .milliseconds(30)) == [0, 1])
    }

    @Test(arguments: [(1, 10), (2, 20), (3, 40), (6, 300), (60, 300)] as [(Int, Int64)])
    func backOffDoublesUpToFiveMinutes(silences: Int, seconds: Int64) {
        var (health, now) = (UpstreamHealth(), Self.start)
        for _ in 0..<silences {
            now = now + .seconds(400)
            _ = health.comesFirst(at: now)
            health.wasSilent(sinceAsked: now, at: now)
        }
        let before = health.comesFirst(at: now + .seconds(seconds) - .milliseconds(1))
        let then = health.comesFirst(at: now + .seconds(seconds))
        #expect(before == false && then == true)
    }

    @Test func manyQuestionsThatFailTogetherAreOneSilence() {
        var health = UpstreamHealth()
        for _ in 0..<50 { health.wasSilent(sinceAsked: Self.start, at: Self.start) }
        let comesFirst = health.comesFirst(at: Self.start + .seconds(10))
        #expect(health.silences == 1 && comesFirst == true)
    }

    @Test func aSlowNameIsNotTheServersFault() {
        var health = UpstreamHealth()
        health.answered(at: Self.start + .milliseconds(100))
        health.wasSilent(sinceAsked: Self.start, at: Self.start + .milliseconds(400))
        #expect(health.state == .healthy && health.silences == 0)
    }

    @Test func aSlowOneIsNotAskedAloneButOnceAMinute() throws {
        let all = try Self.upstreams(2)
        func other(at now: NIODeadline) -> Int? { all.otherWhileFirstIsSlow(at: now).flatMap(all.firstIndex) }
        func took(_ milliseconds: Int64, _ index: Int = 0) {
            all[index].with { $0.took(.milliseconds(milliseconds), at: Self.start) }
        }
        took(20)
        took(4000)
        #expect(other(at: Self.start) == nil, "one name with slow servers")
        took(350)
        #expect(other(at: Self.start) == 1)
        let later = Self.start + .minutes(1)
        #expect(other(at: later) == nil && other(at: later) == 1, "one question looks whether it is quicker")
        for _ in 0..<3 { took(20) }
        #expect(other(at: later) == nil)
        for index in [0, 0, 0, 1, 1, 1] { took(350, index) }
        #expect(other(at: later) == nil, "the other one is no quicker")
    }

    @Test(
        "A question for an encrypted upstream does not go out in plain because that is slow",
        arguments: [
            (UpstreamServer.Transport.plain, UpstreamServer.Transport.plain, true), (.plain, .tls, true),
            (.tls, .https(path: "/"), true), (.tls, .plain, false), (.https(path: "/"), .plain, false),
        ])
    func encryptedOnesAreNotLeft(
        first: UpstreamServer.Transport, second: UpstreamServer.Transport, isAsked: Bool
    ) throws {
        let all = try [first, second].enumerated().map { number, transport in
            let address = try SocketAddress(ipAddress: "192.0.2.\(number + 1)", port: 53)
            return Upstream(
                UpstreamServer(
                    transport: transport, place: .address(UpstreamAddress(address)), authenticationName: nil))
        }
        for _ in 0..<3 { all[0].with { $0.took(.seconds(1), at: Self.start) } }
        #expect((all.otherWhileFirstIsSlow(at: Self.start) != nil) == isAsked)
    }

    @Test func allThatBackOffAreStillAsked() throws {
        let all = try Self.upstreams(2)
        for upstream in all { upstream.with { $0.wasSilent(sinceAsked: Self.start, at: Self.start) } }
        #expect(Self.order(all, at: Self.start) == [0, 1])
    }

    @Test func whoLoopsIsNotAskedWhateverItAnswers() throws {
        let all = try Self.upstreams(2)
        let isNews = (0..<2).map { _ in all[0].with { $0.cameBack() } }
        #expect(isNews == [true, false])
        all[0].with { $0.answered(at: Self.start) }
        all[0].with { $0.wasSilent(sinceAsked: Self.start + .seconds(1), at: Self.start + .seconds(2)) }
        #expect(Self.order(all, at: Self.start + .minutes(10)) == [1])
        #expect(all[0].with { $0.trouble(at: Self.start) } == .loops)
        let hasStopped = (0..<2).map { _ in all[0].with { $0.stoppedLooping() } }
        #expect(hasStopped == [true, false])
        #expect(Self.order(all, at: Self.start) == [0, 1])
    }

    @Test func loopsAreLookedForWhileOneIsSilentAndForGoodAfterOneWasFound() {
        var health = UpstreamHealth()
        #expect(!health.mayLoop(at: Self.start))
        health.probed(.silence, at: Self.start)
        #expect(health.mayLoop(at: Self.start))
        health.probed(.useful, at: Self.start)
        #expect(!health.mayLoop(at: Self.start))
        _ = health.cameBack()
        _ = health.stoppedLooping()
        #expect(health.mayLoop(at: Self.start), "its question may have been lost")
    }

    @Test func aChangeOfCaseIsProvenOverTCPOrByThreeInARow() {
        var health = UpstreamHealth()
        for _ in 0..<3 {
            for _ in 0..<2 {
                let isKnown = health.changedCase(isProven: false)
                #expect(!isKnown)
            }
            health.keptCase()
        }
        let areKnown = (0..<3).map { _ in health.changedCase(isProven: false) }
        #expect(areKnown == [false, false, true])
        var other = UpstreamHealth()
        let isProven = other.changedCase(isProven: true)
        #expect(isProven)
        other.keptCase()
        #expect(other.changesCase, "for as long as this server runs")
    }
}

/// What a household is told of a server, by two probes and by clients' questions.
@Suite struct UpstreamTroubleTests {
    private static let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private static func fail(_ health: inout UpstreamHealth, _ text: String, ago seconds: Int64) {
        let name = WireName()
        #expect(name.read(text))
        health.wasInVain(name, at: now - .seconds(seconds))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let probe: UpstreamHealth.ProbeResult
        /// Seconds since a client got a useful answer; nil: never.
        var useful: Int64?
        /// Seconds since the look-up of each of these domains failed.
        var inVain: [Int64] = []
        var trouble: UpstreamTrouble?
    }

    private static let cases = [
        Case(testDescription: "it answers", probe: .useful),
        Case(
            testDescription: "it answers nobody", probe: .silence, trouble: .silent(for: .seconds(60))),
        Case(testDescription: "ours is lost, others' are not", probe: .silence, useful: 59),
        Case(
            testDescription: "useful a minute ago, silent since", probe: .silence, useful: 120,
            trouble: .silent(for: .seconds(60))),
        Case(
            testDescription: "it refuses us, and nobody else asked", probe: .refused,
            trouble: .fruitless(for: .seconds(60))),
        Case(testDescription: "it refuses only us", probe: .refused, useful: 7200),
        Case(
            testDescription: "it refuses everybody", probe: .refused, useful: 7200, inVain: [100],
            trouble: .fruitless(for: .seconds(60))),
        Case(
            testDescription: "it knows the root and nothing else", probe: .useful,
            inVain: [90, 80, 30, 20, 10], trouble: .fruitless(for: .seconds(90))),
        Case(testDescription: "one place is broken", probe: .useful, useful: 7200, inVain: [90]),
    ]

    @Test(arguments: cases) func said(of one: Case) {
        var health = UpstreamHealth()
        if let useful = one.useful { health.wasUseful(at: Self.now - .seconds(useful)) }
        for (number, ago) in one.inVain.enumerated() {
            Self.fail(&health, "www.place\(number).example", ago: ago)
        }
        for ago: Int64 in [60, 0] { health.probed(one.probe, at: Self.now - .seconds(ago)) }
        #expect(health.trouble(at: Self.now) == one.trouble)
    }

    @Test func oneLostProbeIsNoSilence() {
        var health = UpstreamHealth()
        health.probed(.silence, at: Self.now)
        #expect(health.trouble(at: Self.now) == nil)
        health.probed(.silence, at: Self.now + .seconds(1))
        #expect(health.trouble(at: Self.now + .seconds(1)) == .silent(for: .seconds(1)))
        health.probed(.useful, at: Self.now + .seconds(2))
        #expect(health.trouble(at: Self.now + .seconds(2)) == nil)
    }

    @Test func fivePlacesInVainForAMinuteAreAmissUntilSomethingIsFound() {
        var health = UpstreamHealth()
        for number: Int64 in 0..<4 { Self.fail(&health, "www.a\(number).example", ago: 100 - number) }
        #expect(health.trouble(at: Self.now) == nil, "only four")
        Self.fail(&health, "www.b.example", ago: 90)
        #expect(health.trouble(at: Self.now - .seconds(41)) == nil, "not for a minute yet")
        #expect(health.trouble(at: Self.now - .seconds(40)) == .fruitless(for: .seconds(60)))
        #expect(health.trouble(at: Self.now + .seconds(510)) == nil, "nobody has asked for long")
        health.wasUseful(at: Self.now)
        #expect(health.trouble(at: Self.now) == nil)
    }

    @Test func aBrokenPlaceWithManyNamesIsOne() {
        var health = UpstreamHealth()
        for number: Int64 in 0..<20 {
            Self.fail(&health, "host\(number).broken.example", ago: 120 - number)
        }
        #expect(health.trouble(at: Self.now) == nil)
    }
}
