import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Upstreams that change the case of letters, and forgers who do not know it.
@Suite(.timeLimit(.minutes(1))) struct CaseTests {
    private static let right = [Message.a("93.184.216.34", ttl: 300)]
    private static let lie = [Message.a("203.0.113.66", ttl: 300)]

    private static func recased(_ query: [UInt8], _ answers: [Message.Record]) -> [UInt8] {
        var reply = Message.response(to: query, answers)
        reply.question = reply.question.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
        return reply.bytes
    }

    private static func name(_ number: Int) -> String { "a-name-with-many-letters-\(number).example" }

    @Test func whatOneChangesOverTCPTooIsTakenFromItsDatagramsAfterwards() async throws {
        let streams = Mutex(0)
        let upstream = try await FakeUpstream(House.group) { received in
            if !received.isDatagram { streams.withLock { $0 += 1 } }
            received.reply(Self.recased(received.query, Self.right))
        }
        let house = try await House.open([upstream]) { $0.upstreamPatience = [.milliseconds(250)] }
        for number in 0..<5 { #expect(try await house.ask(Self.name(number))?.answers == Self.right) }
        #expect(streams.withLock { $0 } == 1, "the first waits in vain, and none of the others")
        let names = upstream.queries.map { Message($0).question }
        #expect(
            names.map { Attempt.showsCase($0.dropLast(4)) } == [true, true] + [false, false, false, false])
        await house.close()
    }

    @Test func whereNobodyTakesConnectionsTheThirdInARowIsBelieved() async throws {
        let upstream = try await FakeUpstream(House.group, hasStreams: false) { received in
            received.reply(Self.recased(received.query, Self.right))
        }
        let house = try await House.open([upstream]) { $0.upstreamPatience = [.milliseconds(250)] }
        var codes: [UInt16?] = []
        for number in 0..<5 { codes.append(try await house.ask(Self.name(number))?.rcode) }
        #expect(codes == [2, 2, 0, 0, 0])
        await house.close()
    }

    @Test func aHealthyOneBesideItTakesOver() async throws {
        let changing = try await FakeUpstream(House.group, hasStreams: false) { received in
            received.reply(Self.recased(received.query, Self.right))
        }
        let healthy = try await FakeUpstream(House.group) { $0.reply(Self.right) }
        let house = try await House.open([changing, healthy]) {
            $0.upstreamPatience = [.milliseconds(250), .seconds(20)]
        }
        for number in 0..<5 { #expect(try await house.ask(Self.name(number))?.answers == Self.right) }
        #expect(changing.queries.count == 1 && healthy.queries.count == 5)
        await house.close()
    }

    @Test func aForgerWhoGuessedOnceIsNotBelievedTheNextTime() async throws {
        let isFirst = Mutex(true)
        let upstream = try await FakeUpstream(House.group) { received in
            guard received.isDatagram else { return received.reply(Self.right) }
            received.reply(Self.recased(received.query, Self.lie))
            // The first time, the server's own reply is lost.
            let mustLose = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            if !mustLose { received.reply(Self.right) }
        }
        let house = try await House.open([upstream]) { $0.upstreamPatience = [.milliseconds(250)] }
        for number in 0..<6 { #expect(try await house.ask(Self.name(number))?.answers == Self.right) }
        await house.close()
    }

    @Test func whatOneEventLoopFoundHoldsForAll() async throws {
        let upstream = try await FakeUpstream(House.group, hasStreams: false) { received in
            received.reply(Self.recased(received.query, Self.right))
        }
        let house = try await House.open([upstream], loops: 2) { $0.upstreamPatience = [.milliseconds(250)] }
        var codes: [UInt16?] = []
        for number in 0..<12 { codes.append(try await house.ask(Self.name(number))?.rcode) }
        #expect(codes == [2, 2] + Array(repeating: 0, count: 10))
        await house.close()
    }

    @Test(arguments: [("eXample", true), ("example", false), ("EXAMPLE", false), ("1.2", false)])
    func onlyLettersOfBothKindsShowWhoKeepsThem(text: String, shows: Bool) {
        #expect(Attempt.showsCase(Message.wireName(text)) == shows)
    }
}
