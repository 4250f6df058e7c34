import NIOCore
import Testing

@testable import DNS

/// Who is asked first, by what was heard of whom.
@Suite struct UpstreamHealthTests {
    private static func upstreams(_ count: Int) throws -> Upstreams {
        Upstreams(
            try (1...count).map { UpstreamServer(try SocketAddress(ipAddress: "192.0.2.\($0)", port: 53)) })
    }

    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    @Test func aSilentOneIsAskedLastThenByOneQuestionAtATime() throws {
        var upstreams = try Self.upstreams(2)
        upstreams.suspect(0, askedAt: Self.start, now: Self.start + .milliseconds(400))
        #expect(upstreams.order(at: Self.start + .seconds(1)) == [1, 0])
        let due = Self.start + .seconds(11)
        #expect(upstreams.order(at: due) == [0, 1])
        #expect(upstreams.order(at: due) == [1, 0])
        upstreams.trust(0, at: due + .milliseconds(20))
        #expect(upstreams.order(at: due + .milliseconds(30)) == [0, 1])
    }

    @Test(arguments: [(1, 10), (2, 20), (3, 40), (6, 300), (60, 300)] as [(Int, Int64)])
    func suspicionDoublesUpToFiveMinutes(silences: Int, seconds: Int64) throws {
        var upstreams = try Self.upstreams(2)
        var now = Self.start
        for _ in 0..<silences {
            now = now + .seconds(400)
            _ = upstreams.order(at: now)
            upstreams.suspect(0, askedAt: now, now: now)
        }
        #expect(upstreams.order(at: now + .seconds(seconds) - .milliseconds(1)) == [1, 0])
        #expect(upstreams.order(at: now + .seconds(seconds)) == [0, 1])
    }

    @Test func manyQuestionsThatFailTogetherAreOneSilence() throws {
        var upstreams = try Self.upstreams(2)
        for _ in 0..<50 { upstreams.suspect(0, askedAt: Self.start, now: Self.start) }
        #expect(upstreams.order(at: Self.start + .seconds(10)) == [0, 1])
    }

    @Test func aSlowNameIsNotTheServersFault() throws {
        var upstreams = try Self.upstreams(2)
        upstreams.trust(0, at: Self.start + .milliseconds(100))
        upstreams.suspect(0, askedAt: Self.start, now: Self.start + .milliseconds(400))
        #expect(upstreams.order(at: Self.start + .milliseconds(500)) == [0, 1])
    }

    @Test func twoSilencesAreSaidUntilItAnswers() throws {
        var upstreams = try Self.upstreams(2)
        var now = Self.start
        for silences in 1...2 {
            #expect(upstreams.silent.isEmpty, "after \(silences - 1)")
            _ = upstreams.order(at: now)
            upstreams.suspect(0, askedAt: now, now: now)
            now = now + .seconds(400)
        }
        #expect(upstreams.silent == [upstreams.all[0].server])
        upstreams.trust(0, at: now)
        #expect(upstreams.silent.isEmpty && upstreams.heard(at: now) == [upstreams.all[0].server])
        #expect(upstreams.heard(at: now + .seconds(61)).isEmpty)
    }

    @Test func allSuspectsAreStillAsked() throws {
        var upstreams = try Self.upstreams(2)
        for index in 0..<2 { upstreams.suspect(index, askedAt: Self.start, now: Self.start) }
        #expect(upstreams.order(at: Self.start) == [0, 1])
    }
}
