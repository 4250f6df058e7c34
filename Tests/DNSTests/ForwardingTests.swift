import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Forwarding against upstreams on loopback that are slow, dead, lying or limited.
@Suite(.timeLimit(.minutes(1))) struct ForwardingTests {
    private static func upstream(_ answer: @escaping @Sendable (FakeUpstream.Received) -> Void) async throws
        -> FakeUpstream
    {
        try await FakeUpstream(House.group, answer: answer)
    }

    private static let right = [Message.a("93.184.216.34", ttl: 300)]

    @Test func theClientGetsItsOwnIDAndCaseAndTheAnswer() async throws {
        let house = try await House.open([Self.upstream { $0.reply(Self.right) }])
        let reply = try await house.ask("ExAmPle.com", id: 0xbeef)
        #expect(reply?.id == 0xbeef)
        #expect(reply?.flags == 0x8180)
        #expect(reply?.question == Message.wireName("ExAmPle.com") + [0, 1, 0, 1])
        #expect(reply?.answers == Self.right)
        #expect(reply?.opt?.data == [])
        await house.close()
    }

    @Test func answersAreKept() async throws {
        let upstream = try await Self.upstream { received in
            let isV4 = Message(received.query).question.suffix(4).starts(with: [0, 1])
            received.reply(
                isV4 ? Self.right : [.init(type: 28, ttl: 300, data: Array(repeating: 32, count: 16))])
        }
        let house = try await House.open([upstream])
        let client = try await Client.connect(House.group, to: house.address)
        let replies = try await client.exchange(
            (0..<5).map { Message.query("kept.example", id: $0) }, count: 5)
        #expect(Set(replies.map(\.id)) == [0, 1, 2, 3, 4])
        #expect(upstream.queries.count == 1)
        _ = try await house.exchange([Message.query("kept.example", 28)])
        #expect(upstream.queries.count == 2)
        await house.close()
    }

    @Test func equalQuestionsAreAskedOnce() async throws {
        let held = Mutex<[FakeUpstream.Received]>([])
        let upstream = try await Self.upstream { received in held.withLock { $0.append(received) } }
        let house = try await House.open([upstream])
        let client = try await Client.connect(House.group, to: house.address)
        async let replies = client.exchange((0..<20).map { Message.query("same.example", id: $0) })
        while await house.resolver.collect().metrics.queries < 20 { await Task.yield() }
        while held.withLock({ $0.isEmpty }) { await Task.yield() }
        for received in held.withLock({ $0 }) { received.reply(Self.right) }
        #expect(Set(try await replies.map(\.id)).count == 20)
        #expect(upstream.queries.count == 1)
        #expect(await house.resolver.collect().metrics.forwarded == 1)
        await house.close()
    }

    @Test("Each question is counted once, and its client once a round")
    func isCountedOnce() async throws {
        let upstream = try await Self.upstream { $0.reply(Self.right) }
        let house = try await House.open([upstream])
        var seen: [Int] = []
        for number in 1...4 {
            _ = try await house.ask("count\(number).example")
            #expect(house.resolver.hasNews)
            if number.isMultiple(of: 2) { seen.append(await house.resolver.collect().clients.count) }
        }
        #expect(seen == [1, 1])
        let all = await house.resolver.collect()
        #expect(all.metrics.queries == 4 && all.metrics.forwarded == 4 && all.clients.isEmpty)
        #expect(!house.resolver.hasNews)
        await house.close()
    }

    @Test func oneClientCannotHoldAllTheQuestions() async throws {
        let dead = try await Self.upstream { _ in }
        let house = try await House.open([dead])
        let client = try await Client.connect(House.group, to: house.address)
        let queries = (0..<300).map { Message.query("name\($0).example", id: $0) }
        let replies = try await client.exchange(queries, count: 50)
        #expect(replies.allSatisfy { $0.rcode == 2 })
        #expect(await house.resolver.collect().metrics.forwarded == 250)
        await house.close()
    }

    @Test func queriesCarryNothingOfTheClient() async throws {
        let upstream = try await Self.upstream { $0.reply(Self.right) }
        let house = try await House.open([upstream])
        let subnet = Message.words(8, 7, 1, 0x1800) + [192, 168, 1]
        var query = Message.query("private.example", edns: 1232)
        query.replaceSubrange(
            query.count - 2..<query.count, with: Message.words(UInt16(subnet.count)) + subnet)
        _ = try await house.exchange([query])
        let sent = upstream.queries.first.map(Message.init)
        #expect(sent?.opt == Message.Record(type: 41, ttl: 0, data: []))
        #expect(sent?.flags == 0x0120)
        await house.close()
    }

    @Test func idCaseAndPortAreRandom() async throws {
        let upstream = try await Self.upstream { $0.reply(Self.right) }
        let house = try await House.open([upstream])
        for index in 0..<12 { _ = try await house.ask("manyletters\(index).example") }
        let sent = upstream.queries.map(Message.init)
        #expect(Set(sent.map(\.id)).count > 8)
        #expect(Set(sent.map { $0.question[1..<12] }).count > 8)
        await house.close()
    }

    @Test func wrongRepliesAreIgnoredWhileTheRightOneIsAwaited() async throws {
        let lie = [Message.a("203.0.113.66", ttl: 300)]
        let upstream = try await Self.upstream { received in
            var wrong = Message.response(to: received.query, lie)
            wrong.id ^= 1
            received.reply(wrong.bytes)
            var other = Message.response(to: received.query, lie)
            other.question = Message.wireName("other.example") + [0, 1, 0, 1]
            received.reply(other.bytes)
            var type = Message.response(to: received.query, lie)
            type.question[type.question.count - 3] = 28
            received.reply(type.bytes)
            var swapped = Message.response(to: received.query, lie)
            swapped.question = swapped.question.map { $0 &- 0x41 < 26 || $0 &- 0x61 < 26 ? $0 ^ 0x20 : $0 }
            received.reply(swapped.bytes)
            var query = Message.response(to: received.query, lie)
            query.flags = 0x0100
            received.reply(query.bytes)
            received.reply(Array(received.query.prefix(7)))
            received.reply([])
            Task {
                try await received.replyFromElsewhere(Message.response(to: received.query, lie).bytes)
                received.reply(Self.right)
            }
        }
        let house = try await House.open([upstream])
        #expect(try await house.ask("liar.example")?.answers == Self.right)
        #expect(upstream.queries.count == 1)
        await house.close()
    }

    @Test func deadUpstreamsGiveWay() async throws {
        let dead = try await Self.upstream { _ in }
        let failing = try await Self.upstream { $0.reply([], rcode: 2) }
        let refusing = try await Self.upstream { $0.reply([], rcode: 5) }
        let good = try await Self.upstream { $0.reply(Self.right) }
        let house = try await House.open([failing, refusing, dead, good]) {
            $0.upstreamPatience = Array(repeating: .milliseconds(250), count: 100)
        }
        #expect(try await house.ask("one.example")?.answers == Self.right)
        #expect(try await house.ask("two.example")?.answers == Self.right)
        #expect(!dead.queries.isEmpty)
        await house.close()
    }

    @Test func whenAllFailTheClientHearsAboutItAndNobodyIsAskedForAWhile() async throws {
        let failing = try await Self.upstream { $0.reply([], rcode: 2) }
        let house = try await House.open([failing])
        let client = try await Client.connect(House.group, to: house.address)
        let replies = try await client.exchange(
            (0..<4).map { Message.query("failing.example", id: $0, edns: 1232) })
        #expect(replies.map(\.rcode) == [2, 2, 2, 2])
        #expect(replies.allSatisfy { $0.extendedError == nil }, "what was not said is not made up")
        #expect(failing.queries.map { Message($0).opt == nil } == [false, true])
        await house.close()
    }

    @Test func whereNobodyCanBeReachedTheClientHearsWhy() async throws {
        let refusing = try await Self.upstream { $0.reply([], rcode: 5) }
        let house = try await House.open([refusing])
        let reply = try await house.ask("refused.example", edns: 1232)
        #expect(reply?.rcode == 2 && reply?.extendedError?.code == 22)
        await house.close()
    }

    @Test func upstreamsWithoutEDNSAreAskedWithout() async throws {
        let old = try await Self.upstream { received in
            received.reply(Self.right, rcode: Message(received.query).opt == nil ? 0 : 1)
        }
        let house = try await House.open([old])
        #expect(try await house.ask("old.example")?.answers == Self.right)
        #expect(old.queries.count { $0[12] > 0 } == 2, "a probe follows")
        #expect(try await house.ask("older.example")?.answers == Self.right)
        #expect(
            old.queries.filter { $0[12] > 0 }.map { Message($0).opt == nil } == [false, true, true],
            "it is asked in vain once")
        await house.close()
    }

    @Test func truncatedRepliesAreFetchedOverTCP() async throws {
        let many = (0..<100).map { Message.a("93.184.216.\($0)", ttl: 300) }
        let upstream = try await Self.upstream { received in
            if received.isDatagram {
                var cut = Message.response(to: received.query, [])
                cut.flags |= 0x0200
                received.reply(cut.bytes)
            } else {
                received.reply(many)
            }
        }
        let house = try await House.open([upstream])
        let reply = try await house.ask("big.example")
        #expect(reply?.isTruncated == true)
        #expect(reply?.answers == [])
        let stream = try await Client.connect(House.group, to: house.address, overTCP: true)
        let query = Message.query("big.example")
        let whole = try await stream.exchange(
            [Message.words(UInt16(query.count)) + query], count: 1, closes: true)
        #expect(whole.count == 1)
        #expect(upstream.queries.count == 2)
        await house.close()
    }

    @Test func anUpstreamThatChangesTheCaseIsHeardOverTCP() async throws {
        let upstream = try await Self.upstream { received in
            var reply = Message.response(to: received.query, Self.right)
            reply.question = reply.question.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
            received.reply(reply.bytes)
        }
        let house = try await House.open([upstream]) {
            $0.upstreamPatience = Array(repeating: .milliseconds(250), count: 100)
        }
        #expect(try await house.ask("a-name-with-many-letters.example")?.answers == Self.right)
        await house.close()
    }

    @Test func whileTheFirstIsSlowASecondIsAskedAtTheSameTime() async throws {
        let slow = try await Self.upstream { _ in }
        let quick = try await Self.upstream { $0.reply(Self.right) }
        let house = try await House.open([slow, quick])
        for _ in 0..<3 {
            house.resolver.loops.upstreams.world[0].with { $0.took(.milliseconds(350), at: .now()) }
        }
        #expect(try await house.ask("slow.example")?.answers == Self.right)
        #expect(slow.queries.count == 1 && quick.queries.count == 1)
        await house.close()
    }

    @Test func anUpstreamOutOfReachGivesWay() async throws {
        let good = try await Self.upstream { $0.reply(Self.right) }
        let unreachable = try SocketAddress(ipAddress: "255.255.255.255", port: 53)
        let house = try await House.open([good], before: [UpstreamServer(unreachable)])
        #expect(try await house.ask("reach.example")?.answers == Self.right)
        await house.close()
    }

    @Test func aBlockThatBeganMeanwhileHoldsForWhoWaited() async throws {
        let held = Mutex<FakeUpstream.Received?>(nil)
        let upstream = try await Self.upstream { received in held.withLock { $0 = received } }
        let house = try await House.open([upstream])
        async let reply = house.ask("late.example")
        while held.withLock({ $0 == nil }) { await Task.yield() }
        let block = Filter(
            table: NameTable(sets: []), groups: [.init(rules: [.init(action: .block(text: "asleep"))])],
            clients: [House.me: 0])
        await house.resolver.apply(block)
        _ = await house.resolver.collect()
        held.withLock { $0?.reply(Self.right) }
        #expect(try await reply?.answers.map(\.address) == ["127.0.0.1"])
        await house.close()
    }
}
