import Directory
import NIOCore
import Testing

@testable import DNS

/// The answered addresses that DNS reports to a gateway, and the answers that wait for it.
struct AnsweredNamesTests {
    private static func asker(noting: Bool = true) -> Asker {
        Asker(AnswerTableTests.filter) { $0.notesAnswers = noting }
    }

    @discardableResult
    private static func arrive(
        _ asker: Asker, _ name: String, _ records: [Message.Record], type: UInt16 = 1
    ) -> Answer? {
        asker.arrive(Message.response(to: Message.query(name, type), records), name: name, type: type)
    }

    @Test("Told once, also from the cache, for enrolled clients only")
    func toldOnce() {
        let asker = Self.asker()
        Self.arrive(asker, "allowed.example", [Message.a("93.184.216.34", ttl: 300)])
        _ = asker.ask("allowed.example", from: Asker.guest)
        #expect(asker.responder.answers?.collect() == [])
        for name in ["allowed.example", "ALLOWED.example"] { _ = asker.ask(name) }
        let told = [
            AnsweredName(
                name: "allowed.example", addresses: [ClientAddress("93.184.216.34")!], client: Asker.device)
        ]
        #expect(asker.responder.answers?.collect() == told)
        #expect(asker.responder.answers?.collect() == [], "it begins anew")
        _ = asker.ask("allowed.example")
        #expect(asker.responder.answers?.collect() == told)
    }

    @Test("Nothing is noted where nobody is a gateway, and nothing of what is refused")
    func notTold() {
        let plain = Self.asker(noting: false)
        Self.arrive(plain, "allowed.example", [Message.a("93.184.216.34", ttl: 300)])
        _ = plain.ask("allowed.example")
        #expect(plain.responder.answers == nil)
        let asker = Self.asker()
        Self.arrive(asker, "video.example", [Message.a("93.184.216.34", ttl: 300)])
        _ = asker.ask("video.example")
        #expect(asker.responder.answers?.collect() == [])
    }

    @Test("Addresses of both families and hints; private ones, and other types, are left out")
    func addresses() {
        let asker = Self.asker()
        let v6: [UInt8] = [0x20, 1, 0x0d, 0xb8] + Array(repeating: 0, count: 11) + [9]
        Self.arrive(asker, "allowed.example", [Message.Record(type: 28, ttl: 60, data: v6)], type: 28)
        _ = asker.ask("allowed.example", 28)
        #expect(asker.responder.answers?.collect().first?.addresses == [ClientAddress("2001:db8::9")!])
        Self.arrive(
            asker, "allowed.example",
            [Message.a("192.168.1.7", ttl: 60), Message.a("93.184.216.34", ttl: 60)])
        _ = asker.ask("allowed.example")
        #expect(asker.responder.answers?.collect().first?.addresses == [ClientAddress("93.184.216.34")!])
        let binding: [UInt8] = [0, 1, 0, 0, 4, 0, 8, 93, 184, 216, 34, 93, 184, 216, 35, 0, 6, 0, 16] + v6
        Self.arrive(asker, "allowed.example", [Message.Record(type: 65, ttl: 60, data: binding)], type: 65)
        _ = asker.ask("allowed.example", 65)
        #expect(asker.responder.answers?.collect().first?.addresses.count == 3)
        Self.arrive(asker, "allowed.example", [Message.Record(type: 16, ttl: 60, data: [1, 65])], type: 16)
        _ = asker.ask("allowed.example", 16)
        #expect(asker.responder.answers?.collect() == [])
    }

    @Test("What comes along with an alias or an SRV record can be used too, so it counts")
    func additionalAddresses() {
        let asker = Self.asker()
        let target: [UInt8] = [0, 0, 4] + Array("pool".utf8) + [7] + Array("example".utf8) + [0]
        var response = Message.response(
            to: Message.query("allowed.example", 65), [Message.Record(type: 65, ttl: 60, data: target)])
        response.additionals = [Message.a("93.184.216.50", ttl: 60)]
        asker.arrive(response, name: "allowed.example", type: 65)
        _ = asker.ask("allowed.example", 65)
        #expect(asker.responder.answers?.collect().first?.addresses == [ClientAddress("93.184.216.50")!])
    }

    private static let (tablet, newTablet) = (ClientAddress("192.168.1.21")!, ClientAddress("fe80::21")!)

    /// Enrolled like the device; the tablet has several addresses and one hardware address.
    private static func crowded() -> Asker {
        let filter = AnswerTableTests.filter
        let group = 0
        let all = Filter(
            table: filter.table, groups: filter.groups,
            clients: [Asker.device: group, tablet: group, newTablet: group])
        let asker = Asker(all) {
            $0.notesAnswers = true
        }
        let hardware = MACAddress("02:00:00:00:00:21")!
        asker.responder.apply(Neighbours([tablet: hardware, newTablet: hardware]))
        for number in 0..<AnswerNotes.share {
            arrive(asker, "n\(number).allowed.example", [Message.a("93.184.216.34", ttl: 300)])
            #expect(asker.ask("n\(number).allowed.example") != nil)
        }
        arrive(asker, "more.allowed.example", [Message.a("93.184.216.35", ttl: 300)])
        return asker
    }

    @Test(
        "Whoever asks more at once than a gateway hears of waits for its next look, and takes nobody's room")
    func shares() throws {
        let asker = Self.crowded()
        #expect(asker.ask("more.allowed.example") == nil, "it waits")
        #expect(asker.ask("n0.allowed.example") != nil, "what is noted costs nothing")
        Self.arrive(
            asker, "text.allowed.example", [Message.Record(type: 16, ttl: 60, data: [1, 65])], type: 16)
        #expect(asker.ask("text.allowed.example", 16) != nil, "nothing that a gateway would hear of")
        #expect(asker.ask("more.allowed.example", from: Self.tablet) != nil)
        #expect(asker.responder.answers?.collect().count == AnswerNotes.share + 1)
        #expect(asker.ask("more.allowed.example")?.answers.count == 1)
    }

    @Test("What waited in vain is not answered, and says why")
    func neverUnheard() throws {
        let asker = Self.crowded()
        let late = try #require(asker.ask("more.allowed.example", edns: 1232, isHeldLong: true))
        #expect(late.rcode == 2 && late.answers.isEmpty)
        #expect(late.extendedError?.code == ExtendedError.other)
        #expect(late.extendedError?.text == "too many names at once")
    }

    @Test("All addresses of a device have one share, and a full table has room for nobody")
    func sharesOfOwners() {
        let asker = Self.crowded()
        for number in 0..<AnswerNotes.share {
            let client = number % 2 == 0 ? Self.tablet : Self.newTablet
            #expect(asker.ask("n\(number).allowed.example", from: client) != nil)
        }
        #expect(asker.ask("more.allowed.example", from: Self.newTablet) == nil)
        let owners = Set(asker.responder.answers?.collect().map(\.holder) ?? [])
        #expect(owners == [Asker.device, ClientAddress(MACAddress("02:00:00:00:00:21")!)])
        var notes = AnswerNotes()
        let answer = Self.arrive(asker, "a.allowed.example", [Message.a("93.184.216.34", ttl: 300)])!
        for number in 0..<AnswerNotes.capacity {
            #expect(notes.note(answer, to: ClientAddress(v4: UInt32(number))) { $0 })
        }
        #expect(!notes.note(answer, to: Asker.device) { $0 })
        #expect(notes.collect().count == AnswerNotes.capacity)
    }

    @Test("An allowed name on an address that is closed waits; others, and other clients, do not")
    func held() {
        let asker = Self.asker()
        asker.responder.closed = [Asker.device: [ClientAddress("93.184.216.34")!]]
        Self.arrive(asker, "allowed.example", [Message.a("93.184.216.34", ttl: 300)])
        Self.arrive(asker, "b.allowed.example", [Message.a("93.184.216.35", ttl: 300)])
        #expect(asker.ask("allowed.example") == nil)
        #expect(asker.responder.answers?.collect().count == 1, "the gateway hears of it")
        #expect(asker.ask("b.allowed.example") != nil)
        #expect(asker.ask("allowed.example", from: Asker.guest) != nil)
    }

    @Test("What waited goes out when the gateway has looked, or after a second", arguments: [true, false])
    func goesOut(isOpened: Bool) async throws {
        let upstream = try await FakeUpstream(House.group) {
            $0.reply([Message.a("93.184.216.34", ttl: 300)])
        }
        let filter = Filter(
            table: NameTable(sets: [NameSet(suffixes: ["a.example"])]),
            groups: [.init(rules: [.init(set: 0, action: .forward)])], clients: [House.me: 0])
        let house = try await House.open([upstream], filter: filter) { $0.notesAnswers = true }
        house.resolver.hold(answersThatLeadTo: [House.me: [ClientAddress("93.184.216.34")!]])
        let begun = NIODeadline.now()
        async let reply = house.ask("a.example")
        while await house.resolver.collectAnswers().isEmpty { await Task.yield() }
        // A report about another address opens nothing.
        house.resolver.hold(answersThatLeadTo: [House.me: [ClientAddress("93.184.216.34")!]])
        if isOpened {
            house.resolver.hold(answersThatLeadTo: [:])
        }
        #expect(try await reply?.answers.map(\.address) == ["93.184.216.34"])
        let waited = NIODeadline.now() - begun
        #expect(isOpened ? waited < .milliseconds(900) : waited >= .milliseconds(900), "\(waited)")
        // From the cache, too.
        house.resolver.hold(answersThatLeadTo: [House.me: [ClientAddress("93.184.216.34")!]])
        async let again = house.connect(.tcp).exchange([Client.framed(Message.query("a.example"))])
        while await house.resolver.collectAnswers().isEmpty { await Task.yield() }
        house.resolver.hold(answersThatLeadTo: [:])
        #expect(try await again.first?.answers.count == 1)
        await house.close()
    }
}
