import Directory
import NIOCore
import Testing

@testable import DNS

/// A router that forwards the home's questions and names each device (dnsmasq's `add-mac`).
struct ForwarderTests {
    private static let router = ClientAddress("192.168.1.1")!
    private static let phone = MACAddress("02:78:00:00:00:0f")!
    private static let bytes: [UInt8] = [0x02, 0x78, 0, 0, 0, 0x0f]

    /// The rules of `AnswerTableTests` for the phone, and for nobody else.
    private static var filter: Filter {
        let base = AnswerTableTests.filter
        return Filter(table: base.table, groups: base.groups, clients: [ClientAddress(phone): 0])
    }

    private static func query(_ name: String, _ options: [(UInt16, [UInt8])]) -> [UInt8] {
        let data = options.flatMap { Message.words($0.0, UInt16($0.1.count)) + $0.1 }
        let opt = [0] + Message.words(41, 1232, 0, 0, UInt16(data.count)) + data
        var packet = Message.query(name, 1)
        packet[11] = 1
        return packet + opt
    }

    private static func asker(_ forwarders: Set<ClientAddress> = [router]) -> Asker {
        Asker(filter) { $0.forwarders = forwarders }
    }

    @Test(
        "The device that a forwarder names has its own rules, in each of the ways that dnsmasq writes it",
        arguments: [
            (65_001, bytes), (65_073, Array("02:78:00:00:00:0f".utf8)),
            (65_073, Array("02:78:00:00:00:0F".utf8)), (65_073, Array("AngAAAAP".utf8)),
        ] as [(UInt16, [UInt8])])
    func named(option: UInt16, value: [UInt8]) throws {
        let asker = Self.asker()
        let reply = try #require(
            asker.raw(Self.query("video.example", [(option, value)]), from: Self.router))
        #expect(Message(reply).answers.first?.address == "192.168.1.2", "the shield")
        let collected = asker.responder.collect()
        #expect(collected.clients == [Self.router, ClientAddress(Self.phone)])
        #expect(collected.refused.map(\.client) == [ClientAddress(Self.phone)])
        #expect(collected.unbelieved.isEmpty)
    }

    @Test("What a forwarder adds stands behind what the device sent, and counts")
    func lastCounts() throws {
        let lie: [UInt8] = [0x02, 0x50, 0, 0, 0, 1]
        let text = Array("02:78:00:00:00:0f".utf8)
        let cases: [[(UInt16, [UInt8])]] = [
            [(65_073, Array("02:50:00:00:00:01".utf8)), (65_001, Self.bytes)],
            [(65_001, lie), (65_073, text)],
            [(65_073, text), (65_001, [1, 2, 3])],
        ]
        for options in cases {
            let asker = Self.asker()
            _ = asker.raw(Self.query("video.example", options), from: Self.router)
            #expect(asker.responder.collect().clients == [Self.router, ClientAddress(Self.phone)])
        }
    }

    @Test("What others name is not believed, not echoed, and told")
    func notBelieved() {
        let asker = Self.asker()
        let packet = Self.query("video.example", [(65_001, Self.bytes)])
        #expect(asker.lookup(packet, from: Asker.device) != nil, "no rules of somebody else")
        let collected = asker.responder.collect()
        #expect(collected.clients == [Asker.device])
        #expect(collected.unbelieved == [Asker.device])
        #expect(asker.responder.collect().unbelieved.isEmpty, "it begins anew")
    }

    @Test("Nobody outside this network is believed, forwarder or not")
    func strangers() throws {
        let far = ClientAddress("203.0.113.7")!
        let reply = try #require(
            Self.asker([far]).raw(Self.query("video.example", [(65_001, Self.bytes)]), from: far))
        #expect(Message(reply).rcode == 5)
    }

    @Test(
        "A question that names nobody leads here while its name is closed to anybody, and nothing of it is kept"
    )
    func namesNobody() throws {
        let values: [[UInt8]] = [
            [], Array(repeating: 0, count: 6), [1, 0, 0, 0, 0, 1], [2, 3, 4],
            Array(repeating: 0xff, count: 6),
            Array("02:78:00:00:00:zz".utf8), Array("02.78.00.00.00.0f".utf8), Array("????????".utf8),
        ]
        for value in values {
            let asker = Self.asker()
            let packet = Self.query("cdn.video.example", [(65_001, value)])
            let reply = Message(try #require(asker.raw(packet, from: Self.router)))
            #expect(reply.answers.map(\.address) == ["192.168.1.2"], "\(value)")
            #expect(reply.answers.map(\.ttl) == [0])
            #expect(asker.responder.collect().clients == [Self.router])
        }
    }

    @Test(
        "Canaries and other DNS servers stay closed to whom a forwarder cannot name; what is open to all is not kept"
    )
    func namesNobodyElsewhere() throws {
        let asker = Self.asker()
        #expect(asker.ask("use-application-dns.net", from: Self.router)?.rcode == 3)
        #expect(asker.ask("dns.google", from: Self.router)?.answers.map(\.address) == ["0.0.0.0"])
        let query = Message.query("allowed.example")
        #expect(asker.lookup(query, from: Self.router) != nil)
        asker.arrive(
            Message.response(to: query, [Message.a("198.51.100.7", ttl: 300)]), name: "allowed.example")
        let reply = try #require(asker.ask("allowed.example", from: Self.router))
        #expect(reply.answers.map(\.address) == ["198.51.100.7"] && reply.answers.map(\.ttl) == [0])
    }

    @Test(
        "What a forwarder passes on as it came is not its own word: a signed question, and one without room")
    func passedOnUntouched() throws {
        let plain = Self.query("cdn.video.example", [(65_001, Self.bytes)])
        for type: UInt16 in [24, 250] {
            let asker = Self.asker()
            var signed = plain + [0] + Message.words(type, 255, 0, 0, 4) + [1, 2, 3, 4]
            signed[11] = 2
            let reply = Message(try #require(asker.raw(signed, from: Self.router)))
            #expect(reply.answers.map(\.ttl) == [0])
            #expect(asker.responder.collect().clients == [Self.router])
        }
        let padded = Self.query(
            "cdn.video.example", [(12, Array(repeating: 0, count: 400)), (65_001, Self.bytes)])
        let asker = Self.asker()
        #expect(Message(try #require(asker.raw(padded, from: Self.router))).answers.map(\.ttl) == [0])
        #expect(asker.responder.collect().clients == [Self.router])
    }

    @Test("An option that is cut short is malformed, whoever sends it")
    func malformed() throws {
        var packet = Self.query("video.example", [(65_001, Self.bytes)])
        packet[packet.count - 7] = 9
        let reply = try #require(Self.asker().raw(packet, from: Self.router))
        #expect(Message(reply).rcode == 1)
    }

    @Test("No packet comes from where devices without an address stand")
    func standIns() throws {
        let standIn = ClientAddress(Self.phone)
        #expect(standIn.text == "100::278:0:f")
        #expect(standIn.hardware == Self.phone && standIn.hardware?.text == "02:78:00:00:00:0f")
        #expect(!standIn.canBeAnswered)
        #expect(!ClientAddress(device: 7).canBeAnswered)
        let others = ["fe80::278:0:f", "100::1:0:0:0"]
        #expect(others.allSatisfy { ClientAddress($0)!.hardware == nil }, "nor what has more than 48 bits")
    }

    @Test("A new device behind a forwarder falls under the rule for new devices")
    func newDevice() throws {
        let base = AnswerTableTests.filter
        let filter = Filter(
            table: base.table, groups: base.groups, clients: [:], unknownClients: 0, untouched: [Self.router])
        let asker = Asker(filter) { $0.forwarders = [Self.router] }
        let reply = try #require(
            asker.raw(Self.query("video.example", [(65_001, Self.bytes)]), from: Self.router))
        #expect(Message(reply).answers.first?.address == "192.168.1.2")
        #expect(asker.ask("video.example", from: Self.router)?.answers.map(\.ttl) == [0], "its own questions")
    }
}
