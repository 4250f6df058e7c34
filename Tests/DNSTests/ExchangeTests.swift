import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Every question under way comes to an end, in any order of events.
@Suite(.timeLimit(.minutes(1))) struct ExchangeTests {
    private static let right = [Message.a("93.184.216.34", ttl: 300)]

    private static func cut(_ query: [UInt8]) -> [UInt8] {
        var cut = Message.response(to: query, [])
        cut.flags |= 0x0200
        return cut.bytes
    }

    /// After this delay, the first upstream's connection has ended.
    private static let soon = TimeAmount.milliseconds(100)

    @Test func aLastAttemptThatIsCutShortWhereNobodyTakesConnectionsIsTheEnd() async throws {
        let held = Mutex<FakeUpstream.Received?>(nil)
        let cutting = try await FakeUpstream(House.group, hasStreams: false) { received in
            held.withLock { $0 = $0 ?? received }
        }
        let asked = Mutex(0)
        let silent = try await FakeUpstream(House.group) { _ in
            let isLast = asked.withLock { count in
                count += 1
                return count == 3
            }
            // After this, no upstream is left to ask.
            if isLast { held.withLock { $0.map { $0.reply(Self.cut($0.query)) } } }
        }
        let house = try await House.open([cutting, silent]) {
            $0.upstreamPatience = [.milliseconds(20), .milliseconds(20), .milliseconds(20), .seconds(1)]
            $0.streamPatience = .minutes(1)
        }
        #expect(try await house.ask("late.example")?.rcode == 2)
        #expect(cutting.queries.count == 4 && silent.queries.count == 3, "with EDNS and without")
        await house.close()
    }

    @Test func whoHasFailedAlreadyMayFailOnceMoreOverTCP() async throws {
        let failing = try await FakeUpstream(House.group, hasStreams: false) { received in
            received.reply([], rcode: 2)
            received.reply(Self.cut(received.query))
        }
        let silent = try await FakeUpstream(House.group) { _ in }
        let house = try await House.open([failing, silent]) {
            $0.upstreamPatience = [.seconds(1)]
            $0.streamPatience = .minutes(1)
        }
        #expect(try await house.ask("twice.example")?.rcode == 2)
        await house.close()
    }

    @Test func aStreamThatEndsInVainTakesNothingFromWhoIsStillAsked() async throws {
        let later = Mutex<FakeUpstream.Received?>(nil)
        let failing = try await FakeUpstream(House.group) { received in
            guard received.isDatagram else {
                received.hangUp()
                _ = House.group.any().scheduleTask(in: Self.soon) {
                    later.withLock { $0?.reply(Self.right) }
                }
                return
            }
            _ = House.group.any().scheduleTask(in: .milliseconds(60)) {
                received.reply(Self.cut(received.query))
            }
        }
        let slow = try await FakeUpstream(House.group) { received in later.withLock { $0 = received } }
        let house = try await House.open([failing, slow]) {
            $0.upstreamPatience = [.milliseconds(20), .seconds(20)]
        }
        #expect(try await house.ask("slow.example")?.answers == Self.right)
        #expect(slow.queries.count == 1)
        await house.close()
    }

    @Test func whatOneSaysDoesNotEndTheStreamOfAnother() async throws {
        let later = Mutex<FakeUpstream.Received?>(nil)
        let cutting = try await FakeUpstream(House.group) { received in
            guard received.isDatagram else {
                later.withLock { $0?.reply([], rcode: 5) }
                _ = House.group.any().scheduleTask(in: Self.soon) { received.reply(Self.right) }
                return
            }
            _ = House.group.any().scheduleTask(in: .milliseconds(60)) {
                received.reply(Self.cut(received.query))
            }
        }
        let refusing = try await FakeUpstream(House.group) { received in later.withLock { $0 = received } }
        let house = try await House.open([cutting, refusing]) {
            $0.upstreamPatience = [.milliseconds(20), .seconds(20)]
        }
        #expect(try await house.ask("stream.example")?.answers == Self.right)
        #expect(cutting.queries.count == 3, "over UDP with EDNS and without, and once over TCP")
        await house.close()
    }

    @Test func streamsOneAfterTheOtherLastNoLongerThanThePatienceOfAll() async throws {
        let upstreams = try await (0..<3).asyncMap { _ in
            try await FakeUpstream(House.group) { received in
                if received.isDatagram { received.reply(Self.cut(received.query)) }
            }
        }
        let house = try await House.open(upstreams) {
            $0.upstreamPatience = [.milliseconds(200)]
            $0.streamPatience = .milliseconds(400)
        }
        #expect(try await house.ask("streams.example")?.rcode == 2)
        #expect(upstreams.map(\.queries.isEmpty) == [false, false, true])
        await house.close()
    }

    /// Upstreams that answer at random, many questions at a time.
    @Test(arguments: 1...3, 1...4 as ClosedRange<UInt64>)
    func everybodyIsAnsweredOnceAndNothingIsLeft(count: Int, seed: UInt64) async throws {
        let lots = Mutex(Lots(state: seed))
        let fakes = try await (0..<count).asyncMap { index in
            try await FakeUpstream(House.group, hasStreams: (Int(seed) + index) % 3 != 0) { received in
                lots.withLock { Whim.act(received, &$0) }
            }
        }
        var configuration = DNS.Resolver.Configuration(upstreams: fakes.map { UpstreamServer($0.address) })
        configuration.upstreamPatience = Array(repeating: .milliseconds(8), count: 4)
        configuration.streamPatience = .milliseconds(15)
        let loops = Loops(configuration, House.oneLoop)
        let asked = 150
        let answered = Mutex([Int](repeating: 0, count: asked))
        _ = await loops.ask { loop in
            for number in 0..<asked {
                let eventLoop = loop.eventLoop
                eventLoop.scheduleTask(in: .milliseconds(number % 3 == 0 ? 20 : 0)) {
                    Self.ask(number, loops.of(eventLoop)) { answered.withLock { $0[number] += 1 } }
                }
            }
        }
        let start = ContinuousClock.now
        repeat {
            try await Task.sleep(for: .milliseconds(10))
        } while try await Self.left(loops) != [0, 0, 0, 0] && start.duration(to: .now) < .seconds(5)
        #expect(answered.withLock { $0 } == [Int](repeating: 1, count: asked))
        let left = try await Self.left(loops)
        #expect(left == [0, 0, 0, 0], "exchanges, waiters, sockets, streams")
        for fake in fakes { await fake.stop() }
    }

    private static func left(_ loops: Loops) async throws -> [Int] {
        try #require(
            await loops.ask { loop in
                [loop.exchanges.count, loop.hasWaiters ? 1 : 0, loop.sockets, loop.streams]
            }.first)
    }

    /// Three clients ask the same, one of them later; every fourth name has an expired answer.
    private static func ask(_ number: Int, _ loop: ResolverLoop, _ onAnswer: @escaping @Sendable () -> Void) {
        let text = "name-\(number / 3).example"
        let lookup = Responder.Lookup(type: 1, variant: 0, isLocal: false)
        guard let question = PendingQuery(Message.query(text, id: UInt16(number))) else { return }
        let name = question.name
        if number / 3 % 4 == 0 {
            let asked = UpstreamReply.SentQuery(name: name, type: 1, variant: 0, isFromPublic: false)
            let old = Message.response(to: Message.query(text), right).bytes
            if case .answer(let answer) = old.withUnsafeBytes({ UpstreamReply.read($0, asked) }) {
                loop.responder.cache.store(answer, for: name, at: .now() - .minutes(10))
            }
        }
        let waiter = Exchange.Waiter(
            question: question,
            asking: .init(
                client: Asker.device, endpoint: OwnAddresses(), isDatagram: true, now: .now()),
            holder: Asker.device, deliver: { _ in onAnswer() })
        loop.resolve(lookup, for: waiter)
    }
}

/// Repeatable random numbers (SplitMix64).
private struct Lots: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

/// A random reaction of an upstream to a question.
private enum Whim: CaseIterable {
    case silence, silenceAgain, answer, cut, cutAgain, recased, recasedAndCut, failure, refusal, formatError
    case anotherID, hangUp

    /// Does one thing, and sometimes a second, at once or late.
    static func act(_ received: FakeUpstream.Received, _ lots: inout Lots) {
        for _ in 0..<Int.random(in: 1...2, using: &lots) {
            let whim = allCases.randomElement(using: &lots) ?? .silence
            let delay = TimeAmount.milliseconds(.random(in: 0...2, using: &lots) * 15)
            _ = House.group.any().scheduleTask(in: delay) { whim.act(received) }
        }
    }

    private func act(_ received: FakeUpstream.Received) {
        switch self {
        case .silence, .silenceAgain: return
        case .hangUp: return received.hangUp()
        default: received.reply(reply(to: received.query))
        }
    }

    private func reply(to query: [UInt8]) -> [UInt8] {
        var reply = Message.response(to: query, [Message.a("93.184.216.34", ttl: 300)])
        switch self {
        case .cut, .cutAgain, .recasedAndCut: reply.flags |= 0x0200
        case .failure: reply.flags |= 2
        case .refusal: reply.flags |= 5
        case .formatError: reply.flags |= 1
        case .anotherID: reply.id ^= 1
        default: break
        }
        if self == .recased || self == .recasedAndCut {
            reply.question = reply.question.map { ($0 | 0x20) &- 0x61 < 26 ? $0 ^ 0x20 : $0 }
        }
        return reply.bytes
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ change: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await change(element)) }
        return values
    }
}
