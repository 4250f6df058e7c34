import Directory
import NIOCore
import Testing

@testable import DNS

/// Every row of design.md, "DNS answers".
@Suite struct AnswerTableTests {
    static let asleep = "asleep until 07:00"

    /// Sleep: everything but the allowed app, names always reachable, canaries and DoH providers.
    static let filter = Filter(
        table: NameTable(
            sets: [
                CanaryNames.canaries, NameSet(suffixes: ["ntp.org"]), NameSet(suffixes: ["allowed.example"]),
                CanaryNames.encryptedResolvers,
            ],
            counted: [
                CountedName(below: "video.example", tag: 1), CountedName(below: "videocdn.example", tag: 1),
                CountedName(page: "video.example", tag: 1), CountedName(page: "www.video.example", tag: 1),
                CountedName(below: "allowed.example", tag: 2), CountedName(page: "allowed.example", tag: 2),
            ]),
        groups: [
            Filter.Group(rules: [
                Filter.Rule(set: 0, action: .nameError), Filter.Rule(set: 1, action: .forwardUncapped),
                Filter.Rule(set: 3, action: .null(text: asleep)),
                Filter.Rule(set: 2, inside: false, action: .block(text: asleep)),
            ])
        ], clients: [Asker.device: 0])

    @Test(arguments: [
        "video.example", "www.video.example", "WWW.Video.Example", "uncatalogued.com", "www.uncatalogued.com",
        "m.uncatalogued.com", "shop.co.uk", "www.shop.co.uk", "m.shop.com.au",
    ])
    func pageHostsGetTheServer(name: String) {
        let asker = Asker(Self.filter)
        let reply = asker.ask(name, edns: 1232)
        #expect(reply?.flags == 0x8180)
        #expect(reply?.answers.map(\.address) == ["192.168.1.2"])
        #expect(reply?.answers.first?.ttl == 10)
        #expect(reply?.question == Message.wireName(name) + [0, 1, 0, 1])
        #expect(reply?.extendedError?.code == 17)
        #expect(reply?.extendedError?.text == Self.asleep)
        #expect(asker.ask(name, 28)?.answers.map(\.address) == ["fd00::2"])
        asker.own.v6 = nil
        #expect(asker.ask(name, 28)?.answers == [])
        #expect(asker.ask(name, 28)?.authorities.map(\.type) == [6])
    }

    @Test(arguments: [
        "api.video.example", "videocdn.example", "a.b.uncatalogued.com", "api.uncatalogued.com", "co.uk",
        "cdn.shop.co.uk", "xm.uncatalogued.com",
    ])
    func otherNamesGetTheNullAddress(name: String) {
        let asker = Asker(Self.filter)
        #expect(asker.ask(name)?.answers.map(\.address) == ["0.0.0.0"])
        #expect(asker.ask(name, 28)?.answers.map(\.address) == ["::"])
        #expect(asker.ask(name, 28)?.answers.first?.ttl == 10)
        #expect(asker.ask(name)?.opt == nil)
    }

    @Test(arguments: [65, 64, 16, 15, 255, 5, 99] as [UInt16])
    func otherTypesAreEmpty(type: UInt16) {
        let reply = Asker(Self.filter).ask("video.example", type, edns: 512)
        #expect(reply?.rcode == 0)
        #expect(reply?.answers == [])
        #expect(reply?.authorities.map(\.ttl) == [10])
        #expect(reply?.authorities.first.map { Array($0.data.suffix(4)) } == [0, 0, 0, 10])
        #expect(reply?.extendedError?.code == 17)
    }

    @Test(arguments: CanaryNames.canaries.suffixes, [1, 28, 65, 16] as [UInt16])
    func canariesDoNotExist(name: String, type: UInt16) {
        let asker = Asker(Self.filter)
        #expect(asker.ask(name, type)?.rcode == 3)
        #expect(asker.lookup(Message.query(name, type), from: Asker.guest) != nil)
    }

    @Test func providersOfEncryptedNamesAreNull() {
        #expect(Asker(Self.filter).ask("dns.google")?.answers.map(\.address) == ["0.0.0.0"])
        #expect(Asker(Self.filter).ask("abc.cloudflare-dns.com", 28)?.answers.map(\.address) == ["::"])
    }

    @Test(arguments: ["_dns.resolver.arpa", "resolver.arpa", "x.resolver.arpa"], [1, 64] as [UInt16])
    func resolverArpaIsEmpty(name: String, type: UInt16) {
        let reply = Asker(Self.filter).ask(name, type, from: Asker.guest)
        #expect(reply?.rcode == 0)
        #expect(reply?.answers == [])
        #expect(reply?.authorities.count == 1)
    }

    @Test(arguments: ["sleep.home.arpa", "SLEEP.home.ARPA", "pi", "pi.local"], [Asker.device, Asker.guest])
    func ownNames(name: String, client: ClientAddress) {
        let asker = Asker(Self.filter)
        #expect(asker.ask(name, from: client)?.answers.map(\.address) == ["192.168.1.2"])
        #expect(asker.ask(name, 28, from: client)?.answers.map(\.address) == ["fd00::2"])
        #expect(asker.ask(name, 16, from: client)?.rcode == 0)
        asker.own.v6 = nil
        #expect(asker.ask(name, 28, from: client)?.answers == [])
        #expect(asker.ask("home.arpa", from: client)?.rcode == 0)
        #expect(asker.ask("local", from: client)?.rcode == 0)
    }

    @Test(arguments: ["2.1.168.192.in-addr.arpa", "2" + String(repeating: ".0", count: 29) + ".d.f.ip6.arpa"])
    func ownAddresses(name: String) {
        let reply = Asker().ask(name, 12)
        #expect(reply?.answers.map(\.data) == [Message.wireName("sleep.home.arpa")])
        #expect(Asker().ask(name, 16)?.rcode == 0)
    }

    static let homeNames = [
        "printer", "nas.lan", "x.home", "y.internal", "fritz.box", "other.home.arpa", "tv.mynet.example",
        "9.1.168.192.in-addr.arpa", "1.0.0.10.in-addr.arpa", "1.20.172.in-addr.arpa", "8.e.f.ip6.arpa",
        "3.64.100.in-addr.arpa",
    ]

    @Test(arguments: homeNames, [Asker.device, Asker.guest])
    func namesOfTheHome(name: String, client: ClientAddress) {
        let alone = Asker(Self.filter) { $0.network.searchDomains = ["mynet.example"] }
        #expect(alone.ask(name, from: client)?.rcode == 3)
        let router = Asker(Self.filter) {
            $0.network.searchDomains = ["mynet.example"]
            $0.network.localUpstreams = [
                UpstreamServer(try! SocketAddress(ipAddress: "192.168.1.1", port: 53))
            ]
        }
        #expect(router.lookup(Message.query(name), from: client)?.isLocal == true)
    }

    @Test(arguments: ["a.test", "test", "b.invalid", "facebookcorewwwi.onion", "tv.local"])
    func reservedNamesDoNotExist(name: String) {
        let asker = Asker {
            $0.network.localUpstreams = [
                UpstreamServer(try! SocketAddress(ipAddress: "192.168.1.1", port: 53))
            ]
        }
        #expect(asker.ask(name, from: Asker.guest)?.rcode == 3)
    }

    @Test(
        "A search domain below `local` is the home's, if its server is known; nothing else below `local` is")
    func localSearchDomain() {
        func asker(_ upstreams: [UpstreamServer]) -> Asker {
            Asker {
                $0.network.searchDomains = ["office.local"]
                $0.network.localUpstreams = upstreams
            }
        }
        let router = asker([UpstreamServer(try! SocketAddress(ipAddress: "192.168.1.1", port: 53))])
        #expect(router.lookup(Message.query("tv.office.local"), from: Asker.guest)?.isLocal == true)
        #expect(router.ask("tv.local", from: Asker.guest)?.rcode == 3)
        #expect(asker([]).ask("tv.office.local", from: Asker.guest)?.rcode == 3)
    }

    @Test func localhostIsLocal() {
        #expect(Asker().ask("localhost")?.answers.map(\.address) == ["127.0.0.1"])
        #expect(Asker().ask("x.localhost", 28)?.answers.map(\.address) == ["::1"])
        #expect(Asker().ask("localhost", 16)?.answers == [])
        #expect(
            Asker { $0.network.ownNames = OwnNames(name: "localhost") }.ask("localhost")?.answers.map(
                \.address) == ["127.0.0.1"])
    }

    @Test func publicReverseNamesAndDelegationsAreForwarded() {
        #expect(Asker().lookup(Message.query("8.8.8.8.in-addr.arpa", 12))?.isLocal == false)
        #expect(Asker().lookup(Message.query("1.172.in-addr.arpa", 12))?.isLocal == false)
        #expect(Asker().lookup(Message.query("com", 43))?.isLocal == false)
        #expect(Asker().lookup(Message.query("", 2))?.isLocal == false)
    }

    @Test func anyIsMinimal() {
        let reply = Asker().ask("public.example", 255)
        #expect(reply?.answers.map(\.type) == [13])
        #expect(reply?.answers.first.map { Array($0.data) } == [7] + Array("RFC8482".utf8) + [0])
    }

    @Test func withoutRecursionNothingIsAskedForOthers() {
        #expect(Asker().raw(Message.query("public.example", flags: 0)).map(Message.init)?.rcode == 5)
    }

    @Test func guestsAreForwarded() {
        #expect(Asker(Self.filter).lookup(Message.query("video.example"), from: Asker.guest) != nil)
        #expect(Asker(Self.filter).lookup(Message.query("allowed.example")) != nil)
        let everyone = Filter(
            table: Self.filter.table, groups: Self.filter.groups, clients: [:], unknownClients: 0)
        #expect(Asker(everyone).ask("video.example", from: Asker.guest)?.answers.count == 1)
    }

    @Test(arguments: ["", "a", "a.bc", "video.example"], [1, 28, 65, 255, 12] as [UInt16])
    func noOwnAnswerIsMoreThanThreeTimesTheQuery(name: String, type: UInt16) {
        let all = Filter(
            table: NameTable(sets: []),
            groups: [
                Filter.Group(rules: [.init(action: .block(text: String(repeating: "long ", count: 40)))])
            ],
            clients: [Asker.device: 0])
        for edns in [nil, 1232] as [UInt16?] {
            let query = Message.query(name, type, edns: edns)
            let reply = Asker(all).raw(query)
            #expect((reply?.count ?? 0) <= 3 * query.count)
        }
    }

    /// In relay mode, names lead here also while they are open, and have no service bindings, which would hide the
    /// host's name (design.md, "DNS answers").
    @Test(arguments: ["video.example", "api.video.example", "deep.cdn.video.example"])
    func relayedNamesLeadHere(name: String) {
        var group = Self.filter.groups[0]
        group.rules = [Filter.Rule(set: 2, inside: false, action: .relay)]
        group.ttlCeiling = 15
        let asker = Asker(
            Filter(table: Self.filter.table, groups: [group], clients: [Asker.device: 0]))
        let v4 = asker.ask(name)
        #expect(v4?.answers.map(\.address) == ["192.168.1.2"])
        #expect(v4?.answers.first?.ttl == 15)
        #expect(asker.ask(name, 28)?.flags == 0x8180)
        for type in [65, 64] as [UInt16] {
            let none = asker.ask(name, type)
            #expect(none?.flags == 0x8180 && none?.answers.isEmpty == true)
        }
        #expect(asker.lookup(Message.query(name, 16)) != nil, "other types are asked upstream")
        #expect(asker.lookup(Message.query("allowed.example")) != nil, "and so are other names")
    }

    /// A page on a site that is being relayed has no shield: a browser would ask for it over the relayed connection.
    @Test func pagesOfARelayedSiteGetTheNullAddress() {
        let table = NameTable(
            sets: [NameSet(suffixes: ["chat.site.example"]), NameSet(suffixes: ["site.example"])])
        let group = Filter.Group(
            rules: [
                Filter.Rule(set: 0, inside: false, action: .block(text: "asleep")),
                Filter.Rule(action: .relay),
            ], shieldless: 1)
        let asker = Asker(Filter(table: table, groups: [group], clients: [Asker.device: 0]))
        #expect(asker.ask("chat.site.example")?.answers.map(\.address) == ["192.168.1.2"])
        #expect(asker.ask("www.site.example")?.answers.map(\.address) == ["0.0.0.0"])
        #expect(asker.ask("other.example")?.answers.map(\.address) == ["192.168.1.2"])
    }

    @Test func countsByClientTagAndOutcome() {
        let asker = Asker(Self.filter)
        for _ in 0..<3 { _ = asker.ask("api.video.example") }
        _ = asker.lookup(Message.query("allowed.example"))
        _ = asker.ask("video.example", from: Asker.guest)
        _ = asker.ask("uncatalogued.com")
        let collected = asker.responder.collect()
        #expect(
            Set(collected.counts) == [
                Count(client: Asker.device, tag: 1, blocked: true, queries: 3),
                Count(client: Asker.device, tag: 2, blocked: false, queries: 1),
            ])
        #expect(collected.clients == [Asker.device, Asker.guest])
        #expect(collected.metrics.queries == 6)
        #expect(collected.metrics.blocked == 4)
        #expect(asker.responder.collect().counts == [])
        #expect(asker.responder.collect().clients == [])
    }
}
