import NIOCore
import Testing

@testable import DNS

/// Manners and policy are the same over UDP, TCP, TLS and HTTPS (design.md, "Manners on the wire").
@Suite(.timeLimit(.minutes(1))) struct TransportTests {
    /// The reply to a packet over each transport; empty for silence, and for the end of a connection.
    /// - Parameter isSilent: over UDP a probe follows, which shows that the socket still works.
    private static func replies(
        to packet: [UInt8], _ house: House, _ door: any Channel, isSilent: Bool = false
    ) async throws -> [[UInt8]] {
        var replies: [[UInt8]] = []
        for transport in House.Transport.allCases {
            let bytes = transport == .udp ? packet : Client.framed(packet)
            let probe = Message.query("localhost", id: 0xbeef)
            let packets = transport == .udp && isSilent ? [bytes, probe] : [bytes]
            let messages = try await house.connect(transport).exchange(packets, stopsAt: 0xbeef)
            replies.append(messages.first { $0.id != 0xbeef }?.raw ?? [])
        }
        let client = try await RequestClient.connect(to: try #require(door.localAddress))
        let reply = try await client.post(packet)
        #expect((reply.status == "200") == !reply.headers["content-type", default: ""].hasPrefix("text/"))
        replies.append(reply.status == "200" ? reply.body : [])
        try? await client.close()
        return replies
    }

    @Test func malformedPacketsGetTheSameEverywhere() async throws {
        let house = try await House.open([], servesTLS: true)
        let door = try await house.openRequests()
        for malformed in MalformedTests.all where !malformed.packet.isEmpty {
            let replies = try await Self.replies(
                to: malformed.packet, house, door, isSilent: malformed.reply.isEmpty)
            for (index, reply) in replies.enumerated() {
                #expect(reply == malformed.reply, "\(malformed.name), transport \(index)")
            }
        }
        try await door.close()
        await house.close()
    }

    @Test(
        arguments: [
            ("video.example", 1), ("video.example", 28), ("video.example", 65), ("api.video.example", 1),
            ("uncatalogued.com", 1), ("allowed.example", 1), ("use-application-dns.net", 1),
            ("dns.google", 1),
            ("sleep.home.arpa", 1), ("resolver.arpa", 64), ("printer.lan", 1), ("allowed.example", 255),
        ] as [(String, UInt16)])
    func rulesAreTheSameEverywhere(name: String, type: UInt16) async throws {
        let upstream = try await FakeUpstream(House.group) { $0.reply([Message.a("93.184.216.34", ttl: 0)]) }
        let rules = AnswerTableTests.filter
        let filter = Filter(table: rules.table, groups: rules.groups, clients: [House.me: 0])
        let house = try await House.open([upstream], filter: filter, servesTLS: true)
        let door = try await house.openRequests()
        let replies = try await Self.replies(to: Message.query(name, type, id: 5, edns: 1232), house, door)
        #expect(replies.count == 4 && !replies[0].isEmpty)
        #expect(replies.allSatisfy { $0 == replies[0] }, "\(replies.map(Message.init))")
        try await door.close()
        await house.close()
    }
}
