import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Probes with the root's name servers: servers that answer, refuse or are silent.
@Suite(.timeLimit(.minutes(1))) struct ProbeTests {
    private static let patience = TimeAmount.milliseconds(600)

    @Test func saysWhoAnswersAnything() async throws {
        let right = try await FakeUpstream(House.group) { $0.reply([], rcode: 0) }
        let refusing = try await FakeUpstream(House.group) { $0.reply([], rcode: 5) }
        let silent = try await FakeUpstream(House.group) { _ in }
        let lying = try await FakeUpstream(House.group) { received in
            var reply = Message.response(to: received.query, []).bytes
            reply[0] ^= 1
            received.reply(reply)
        }
        let late = try await Self.losingTheFirst()
        let house = try await House.open([])
        let servers = [right, refusing, silent, lying, late].map(\.address)
        let answering = await house.resolver.answering(servers + [right.address], patience: Self.patience)
        #expect(answering == [right.address, refusing.address, late.address])
        #expect(right.queries.map { Array($0[12...]) } == [[0, 0, 2, 0, 1]], "the root's NS")
        #expect(await house.resolver.answering([]).isEmpty)
        await house.close()
    }

    private static func losingTheFirst() async throws -> FakeUpstream {
        let count = Mutex(0)
        return try await FakeUpstream(House.group) { received in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number > 1 { received.reply([], rcode: 0) }
        }
    }

    @Test func upstreamsAreProbedOverTheirFailuresToo() async throws {
        let right = try await FakeUpstream(House.group) { $0.reply([], rcode: 0) }
        let unknowing = try await FakeUpstream(House.group) { $0.reply([], rcode: 3) }
        let refusing = try await FakeUpstream(House.group) { $0.reply([], rcode: 5) }
        let silent = try await FakeUpstream(House.group) { _ in }
        let house = try await House.open([right, unknowing, refusing, silent])
        for _ in 0..<2 { await house.resolver.checkUpstreams(patience: Self.patience) }
        let kinds = house.resolver.upstreamTroubles.map { trouble in
            switch trouble.trouble {
            case nil: "well"
            case .silent: "silent"
            case .fruitless: "fruitless"
            case .loops: "loops"
            }
        }
        #expect(kinds == ["well", "well", "fruitless", "silent"])
        let states = house.resolver.loops.upstreams.all.map { $0.with { $0.state } }
        #expect(states.allSatisfy { $0 == .healthy }, "a probe that is lost speaks against nobody")
        await house.close()
    }

    @Test func whatOneCouldNotTellIsHeldAgainstItAloneUntilItTellsSomething() async throws {
        let first = try await FakeUpstream(House.group) { received in
            let isLost = String(decoding: received.query, as: UTF8.self).lowercased().contains("lost")
            received.reply([], rcode: isLost ? 2 : 3)
        }
        let second = try await FakeUpstream(House.group) { $0.reply([], rcode: 2) }
        let house = try await House.open([first, second])
        let later = NIODeadline.now() + .minutes(2)
        func areAmiss() -> [Bool] {
            house.resolver.loops.upstreams.all.map { $0.with { $0.trouble(at: later) } != nil }
        }
        for number in 0..<5 { #expect(try await house.ask("lost\(number).broken.example")?.rcode == 2) }
        #expect(first.queries.count == 10 && second.queries.count == 10, "with EDNS and without")
        #expect(areAmiss() == [false, false], "one place")
        for number in 0..<5 { _ = try await house.ask("lost.place\(number)") }
        #expect(areAmiss() == [true, false])
        _ = try await house.ask("none.example")
        #expect(areAmiss() == [false, false], "that there is none is of use too")
        await house.close()
    }
}
