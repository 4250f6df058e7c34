import Testing

@testable import DNS

/// What a client gets of an answer that is too large for its datagram (RFC 2181, 9), so that it needs no TCP.
@Suite struct ShortenedTests {
    /// A record whose names are not compressed.
    private static func record(_ owner: String, _ type: UInt16, _ data: [UInt8]) -> [UInt8] {
        Message.wireName(owner) + Message.words(type, 1, 0, 300, UInt16(data.count)) + data
    }

    private static func address(_ owner: String, _ number: Int) -> [UInt8] {
        record(owner, 1, [93, 184, 216, UInt8(number)])
    }

    private static func answers(_ name: String, _ count: Int) -> [[UInt8]] {
        (1...count).map { address(name, $0) }
    }

    private static let servers = (1...12).map {
        record("big.example", 2, Message.wireName("ns\($0).big.example"))
    }
    private static let glue = (1...12).map { address("ns\($0).big.example", $0) }

    private static func ask(
        _ name: String, type: UInt16 = 1, _ answers: [[UInt8]], _ authorities: [[UInt8]] = [],
        _ additionals: [[UInt8]] = [], edns: UInt16? = nil, dnssecOK: Bool = false, isDatagram: Bool = true
    ) throws -> Message {
        let counts = Message.words(
            7, 0x8180, 1, UInt16(answers.count), UInt16(authorities.count), UInt16(additionals.count))
        let bytes =
            counts + Message.wireName(name) + Message.words(type, 1)
            + (answers + authorities + additionals).flatMap { $0 }
        let wire = WireName()
        #expect(wire.read(name))
        let question = UpstreamReply.SentQuery(
            name: wire, type: type, variant: dnssecOK ? 1 : 0, isFromPublic: false)
        guard case .answer(let answer) = bytes.withUnsafeBytes({ UpstreamReply.read($0, question) }) else {
            throw Client.Silence()
        }
        let query = Message.query(name, type, edns: edns, dnssecOK: dnssecOK)
        let reply = Asker().raw(query, from: Asker.guest, isDatagram: isDatagram, resolution: .answer(answer))
        return Message(try #require(reply))
    }

    @Test func additionalRecordsGoFirstAndThenAuthority() throws {
        let all = Self.answers("big.example", 1)
        let reply = try Self.ask("big.example", all, Self.servers, Self.glue)
        #expect(reply.answers.map(\.address) == ["93.184.216.1"] && !reply.isTruncated)
        #expect(reply.authorities.isEmpty && reply.additionals.isEmpty)
        let fewer = try Self.ask("big.example", all, Array(Self.servers.prefix(6)), Self.glue)
        #expect(fewer.authorities.count == 6 && fewer.additionals.isEmpty && !fewer.isTruncated)
        let whole = try Self.ask("big.example", all, Self.servers, Self.glue, isDatagram: false)
        #expect(whole.authorities.count == 12 && whole.additionals.count == 12)
        let room = try Self.ask("big.example", all, Self.servers, Self.glue, edns: 1232)
        #expect(room.authorities.count == 12 && room.additionals.count == 13)
    }

    @Test func namesAreCompressed() throws {
        let name = String(repeating: "a-long-label.", count: 4) + "example"
        let alias = Self.record(name, 5, Message.wireName("edge." + name))
        let reply = try Self.ask(name, [alias] + Self.answers("EDGE." + name, 8))
        #expect(!reply.isTruncated && reply.raw.count <= 512)
        #expect(reply.answers.dropFirst().map(\.address) == (1...8).map { "93.184.216.\($0)" })
        #expect(reply.answers.map(\.ttl) == Array(repeating: 300, count: 9))
        let target = try #require(reply.raw.withUnsafeBytes { Records($0)?.first { $0.type == 5 } })
        #expect(target.data.count == 7, "the alias's end is one label and a pointer")
    }

    @Test("Names inside data move with their message", arguments: [33, 39, 18] as [UInt16])
    func dataWithNames(type: UInt16) throws {
        let name = String(repeating: "a-long-label.", count: 4) + "example"
        let lead = [33: 6, 18: 2][type] ?? 0
        let data = Array(repeating: UInt8(0), count: lead)
        // Its name is a pointer to the owner of the second record, as some servers send it.
        let place = UInt16(12 + 4 + 2 * Message.wireName(name).count + 14)
        let records =
            Self.answers(name, 1) + [Self.address("x." + name, 2)]
            + [Self.record(name, type, data + Message.words(0xc000 | place))] + Self.answers(name, 6)
        let reply = try Self.ask(name, type: type, records)
        #expect(!reply.isTruncated && reply.answers.count == 9)
        #expect(reply.answers[2].data == data + Message.wireName("x." + name), "not compressed")
    }

    @Test func whatStaysTooLargeIsCutShort() throws {
        let reply = try Self.ask("many.example", Self.answers("many.example", 60))
        #expect(reply.isTruncated && reply.answers.isEmpty)
        let texts = (1...4).map { _ in Self.record("text.example", 16, Array(repeating: 200, count: 201)) }
        #expect(try Self.ask("text.example", type: 16, texts).isTruncated)
        let strange = (1...30).map { _ in Self.record("strange.example", 35, [1]) }
        #expect(try Self.ask("strange.example", type: 35, strange).isTruncated, "its names cannot be moved")
    }

    @Test func whoValidatesGetsTheProofsOrIsToldToUseTCP() throws {
        let one = Self.answers("signed.example", 1)
        let proofs = (1...12).map { Self.record("p\($0).signed.example", 50, Array(repeating: 7, count: 90)) }
        let reply = try Self.ask("signed.example", one, proofs, edns: 1232, dnssecOK: true)
        #expect(reply.isTruncated && reply.answers.isEmpty)
        let fewer = try Self.ask(
            "signed.example", one, Array(proofs.prefix(8)), Self.glue, edns: 1232, dnssecOK: true)
        #expect(!fewer.isTruncated && fewer.authorities.count == 8 && fewer.additionals.count == 1)
    }

    @Test func aNegativeAnswerKeepsItsSOA() throws {
        let soa = Self.record("none.example", 6, [0, 0] + Array(repeating: 0, count: 20))
        let reply = try Self.ask("none.example", [], [soa], (1...30).map { Self.address("x.example", $0) })
        #expect(!reply.isTruncated && reply.authorities.map(\.type) == [6])
    }
}
