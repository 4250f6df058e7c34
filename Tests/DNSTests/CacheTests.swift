import Directory
import NIOCore
import Testing

@testable import DNS

/// How long answers are kept, and the TTLs that clients see; the test sets the clock.
@Suite struct CacheTests {
    private static func filter(ceiling: UInt32 = 60, end: NIODeadline? = nil) -> Filter {
        Filter(
            table: NameTable(sets: [NameSet(suffixes: ["always.example"])]),
            groups: [
                .init(rules: [.init(set: 0, action: .forwardUncapped)], ttlCeiling: ceiling, answersEnd: end)
            ],
            clients: [Asker.device: 0])
    }

    private static func asker(_ filter: Filter = filter(), ttl: UInt32 = 300, name: String = "a.example")
        -> Asker
    {
        let asker = Asker(filter)
        let query = Message.query(name)
        asker.arrive(Message.response(to: query, [Message.a("93.184.216.34", ttl: ttl)]), name: name)
        return asker
    }

    private func ttl(
        _ asker: Asker, after seconds: Int64, _ client: ClientAddress, name: String = "a.example"
    ) -> UInt32? {
        asker.now = asker.now + .seconds(seconds)
        return asker.ask(name, from: client)?.answers.first?.ttl
    }

    @Test func countsDownForGuestsAndIsCappedForDevices() {
        let asker = Self.asker()
        #expect(ttl(asker, after: 0, Asker.guest) == 300)
        #expect(ttl(asker, after: 0, Asker.device) == 60)
        #expect(ttl(asker, after: 100, Asker.guest) == 200)
        #expect(ttl(asker, after: 190, Asker.device) == 10)
        #expect(ttl(asker, after: 9, Asker.device) == 1)
        #expect(ttl(asker, after: 1, Asker.device) == nil)
    }

    @Test func alwaysReachableNamesKeepTheirs() {
        let asker = Self.asker(Self.filter(ceiling: 15), name: "x.always.example")
        #expect(ttl(asker, after: 0, Asker.device, name: "x.always.example") == 300)
    }

    @Test func noAnswerOutlivesTheVerdict() {
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        let asker = Self.asker(Self.filter(ceiling: 15, end: start + .seconds(20)))
        #expect(ttl(asker, after: 0, Asker.device) == 15)
        #expect(ttl(asker, after: 8, Asker.device) == 12)
        #expect(ttl(asker, after: 11, Asker.device) == 1)
        #expect(ttl(asker, after: 5, Asker.device) == 1)
        #expect(ttl(asker, after: 0, Asker.guest) == 276)
    }

    @Test func negativeAnswersLiveAsTheirSOASays() {
        let asker = Asker()
        var response = Message.response(to: Message.query("none.example"), [], rcode: 3)
        response.authorities = [Message.soa(ttl: 900, minimum: 30)]
        asker.arrive(response, name: "none.example")
        #expect(asker.ask("none.example", from: Asker.guest)?.rcode == 3)
        asker.now = asker.now + .seconds(29)
        #expect(asker.ask("none.example", from: Asker.guest)?.rcode == 3)
        asker.now = asker.now + .seconds(1)
        #expect(asker.lookup(Message.query("none.example"), from: Asker.guest) != nil)
    }

    @Test func whatHasNoLifetimeIsNotKept() {
        let asker = Asker()
        asker.arrive(
            Message.response(to: Message.query("z.example"), [Message.a("93.184.216.34", ttl: 0)]),
            name: "z.example")
        asker.arrive(Message.response(to: Message.query("n.example"), [], rcode: 3), name: "n.example")
        #expect(asker.responder.cache.count == 0)
    }

    @Test func staleAnswersAreServedWhenAllFailButNeverOverABlock() {
        let asker = Self.asker(ttl: 5)
        asker.now = asker.now + .seconds(3600)
        let stale = asker.ask("a.example", edns: 1232, from: Asker.guest, resolution: .failed)
        #expect(stale?.answers.map(\.ttl) == [30])
        #expect(stale?.extendedError?.code == 3)
        asker.now = asker.now + .hours(25)
        #expect(asker.ask("a.example", from: Asker.guest, resolution: .failed)?.rcode == 2)
        let blocked = Self.asker(
            Filter(
                table: NameTable(sets: []), groups: [.init(rules: [.init(action: .block(text: ""))])],
                clients: [Asker.device: 0]))
        #expect(blocked.ask("a.example", resolution: .failed)?.answers.map(\.address) == ["192.168.1.2"])
    }

    @Test func dnssecOKIsAnotherQuestion() {
        let asker = Self.asker()
        #expect(
            asker.lookup(Message.query("a.example", edns: 1232, dnssecOK: true), from: Asker.guest) != nil)
        #expect(asker.lookup(Message.query("a.example", flags: 0x0110), from: Asker.guest) != nil)
        #expect(asker.lookup(Message.query("a.example", 28), from: Asker.guest) != nil)
        #expect(asker.lookup(Message.query("A.EXAMPLE"), from: Asker.guest) == nil)
    }

    @Test func memoryIsBoundedAndWhatIsUsedStays() {
        let asker = Asker { $0.cacheBytes = 40_000 }
        for index in 0..<2_000 {
            let name = "host\(index).example"
            asker.arrive(
                Message.response(to: Message.query(name), [Message.a("93.184.216.34", ttl: 300)]), name: name)
            _ = asker.ask("host0.example", from: Asker.guest)
            #expect(asker.responder.cache.bytes <= 40_000)
        }
        #expect(asker.responder.cache.count > 100)
        #expect(asker.ask("host0.example", from: Asker.guest)?.answers.count == 1)
        #expect(asker.ask("host1.example", from: Asker.guest) == nil)
        #expect(asker.ask("host1999.example", from: Asker.guest)?.answers.count == 1)
    }

    @Test(arguments: [
        "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "127.0.0.1", "169.254.1.1", "100.64.0.1",
        "0.0.0.0",
    ])
    func privateAnswersOfPublicUpstreamsAreLeftOut(address: String) {
        let asker = Asker(Self.filter())
        let answers = [Message.a("93.184.216.34", ttl: 300), Message.a(address, ttl: 300)]
        let response = Message.response(to: Message.query("rebind.example"), answers)
        #expect(asker.arrive(response, name: "rebind.example", isFromPublic: true)?.leadsHome == true)
        let reply = asker.ask("rebind.example", edns: 1232)
        #expect(reply?.answers == [])
        #expect(reply?.extendedError?.code == 17)
        #expect(asker.ask("rebind.example", from: Asker.guest)?.answers.count == 2, "nobody's device")
        let said = Asker(Self.filter()) { $0.privateAnswersAllowed = ["example"] }
        #expect(said.arrive(response, name: "rebind.example", isFromPublic: true)?.leadsHome == true)
        #expect(said.ask("rebind.example")?.answers.count == 2)
        #expect(asker.arrive(response, name: "rebind.example")?.leadsHome == false)
        #expect(asker.ask("rebind.example")?.answers.count == 2)
    }

    @Test("An always reachable name, and one on the household's list, may have private addresses")
    func listed() {
        let table = NameTable(sets: [
            NameSet(suffixes: ["always.example"]), NameSet(suffixes: ["nas.example"]),
        ])
        let group = Filter.Group(rules: [.init(set: 0, action: .forwardUncapped)])
        for (list, open) in [(Int?.none, ["always.example"]), (1, ["always.example", "x.nas.example"])] {
            let asker = Asker(
                Filter(table: table, groups: [group], clients: [Asker.device: 0], mayBePrivate: list))
            for name in ["always.example", "x.nas.example", "mas.example"] {
                let response = Message.response(to: Message.query(name), [Message.a("10.0.0.9", ttl: 300)])
                asker.arrive(response, name: name, isFromPublic: true)
                #expect(asker.ask(name)?.answers.count == (open.contains(name) ? 1 : 0), "\(name)")
            }
        }
    }

    @Test("Additional private addresses are left out, and the answer stays")
    func additional() {
        let asker = Asker(Self.filter())
        var response = Message.response(
            to: Message.query("_s._tcp.example", 33),
            [Message.Record(type: 33, ttl: 60, data: [0, 0, 0, 0, 1, 133, 0])])
        response.additionals = [Message.a("93.184.216.34", ttl: 60), Message.a("10.0.0.9", ttl: 60)]
        #expect(
            asker.arrive(response, name: "_s._tcp.example", type: 33, isFromPublic: true)?.leadsHome == false)
        let reply = asker.ask("_s._tcp.example", 33)
        #expect(reply?.answers.count == 1)
        #expect(reply?.additionals.map(\.address) == ["93.184.216.34"])
    }

    @Test(arguments: [
        "::", "::1", "fe80::1", "fc00::1", "fdff::1", "::ffff:8.8.8.8", "::ffff:10.0.0.1",
        "64:ff9b::192.168.1.1", "64:ff9b:1::10.0.0.1", "2002:c0a8:101::1", "::192.168.1.1",
    ])
    func privateIPv6AnswersAreLeftOutAlsoAsHints(address: String) throws {
        let bytes = try #require(SocketAddress(ipAddress: address, port: 0).ipv6Bytes)
        let record = Message.Record(type: 28, ttl: 60, data: bytes)
        let response = Message.response(to: Message.query("six.example", 28), [record])
        #expect(
            Asker().arrive(response, name: "six.example", type: 28, isFromPublic: true)?.leadsHome == true)
        let hint = Message.Record(type: 65, ttl: 60, data: [0, 1, 0] + Message.words(6, 16) + bytes)
        let binding = Message.response(to: Message.query("six.example", 65), [hint])
        #expect(
            Asker().arrive(binding, name: "six.example", type: 65, isFromPublic: true)?.leadsHome == true)
    }

    @Test func publicAddressesPass() throws {
        let bytes = try #require(SocketAddress(ipAddress: "2606:2800:220:1::1", port: 0).ipv6Bytes)
        let hint = Message.Record(
            type: 65, ttl: 60,
            data: [0, 1, 0] + Message.words(4, 4) + [8, 8, 8, 8] + Message.words(6, 16) + bytes)
        let response = Message.response(to: Message.query("p.example", 65), [hint])
        #expect(
            Asker().arrive(response, name: "p.example", type: 65, isFromPublic: true)?.leadsHome == false)
    }

    @Test func upstreamsAreAskedInOrderAndThoseThatBackOffLast() throws {
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        let all = try ["9.9.9.9", "192.168.1.1", "1.1.1.1"].map {
            Upstream(UpstreamServer(try SocketAddress(ipAddress: $0, port: 53)))
        }
        #expect(all.map { $0.isPublic(beyond: HomeNetworks()) } == [true, false, true])
        all[0].with { $0.wasSilent(sinceAsked: now, at: now) }
        #expect(all.inOrder(at: now) == [all[1], all[2], all[0]])
        #expect(all.inOrder(at: now + .seconds(11)) == all)
        _ = all[1].with { $0.cameBack() }
        #expect(all.inOrder(at: now) == [all[2], all[0]])
    }
}

extension SocketAddress {
    fileprivate var ipv6Bytes: [UInt8]? {
        guard case .v6(let address) = self else { return nil }
        return withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
    }
}
