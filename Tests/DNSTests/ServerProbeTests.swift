import NIOCore
import Synchronization
import Testing

@testable import DNS

/// Who answers a question for the root's name servers, and how.
@Suite(.timeLimit(.minutes(1))) struct ServerProbeTests {
    @Test func saysWhoAnswersAndHow() async throws {
        let right = try await FakeUpstream(House.group) { $0.reply([], rcode: 0) }
        let refusing = try await FakeUpstream(House.group) { $0.reply([], rcode: 5) }
        let silent = try await FakeUpstream(House.group) { _ in }
        let lying = try await FakeUpstream(House.group) { received in
            var reply = Message.response(to: received.query, []).bytes
            reply[0] ^= 1
            received.reply(reply)
        }
        let lossy = Mutex(0)
        let late = try await FakeUpstream(House.group) { received in
            // The first question was lost.
            if lossy.withLock({ count in
                count += 1
                return count > 1
            }) {
                received.reply([], rcode: 0)
            }
        }
        let servers = [right, refusing, silent, lying, late].map(\.address)
        let answers = await ServerProbe.ask(
            servers + [right.address], group: House.group, patience: .milliseconds(600))
        #expect(servers.map { answers[$0] } == [0, 5, nil, nil, 0])
        #expect(right.queries.first.map { Array($0[12...]) } == [0, 0, 2, 0, 1], "the root's NS")
        #expect(await ServerProbe.ask([], group: House.group).isEmpty)
    }

    @Test(arguments: [(0, true), (3, true), (2, false), (5, false)] as [(UInt8, Bool)])
    func useful(code: UInt8, isUseful: Bool) { #expect(ServerProbe.isUseful(code) == isUseful) }
}
