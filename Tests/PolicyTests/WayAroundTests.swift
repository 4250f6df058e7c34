import Testing

@testable import Policy

/// What each combination of signs says about each way around.
@Suite struct WayAroundTests {
    typealias Evidence = SetupCheck.Evidence
    typealias Kind = WayAround.Kind
    static let phone = SetupCheckTests.phone
    static let router = SetupCheckTests.router

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var open: Set<Kind> = []
        var unclear: Set<Kind> = []
        var held: Set<Kind> = []
        let change: @Sendable (inout Evidence) -> Void

        init(
            _ name: String, open: Set<Kind> = [], unclear: Set<Kind> = [], held: Set<Kind> = [],
            _ change: @escaping @Sendable (inout Evidence) -> Void
        ) {
            testDescription = name
            (self.open, self.unclear, self.held, self.change) = (open, unclear, held, change)
        }
    }

    static let asking = [
        Case("a clean device") { _ in },
        Case("a clean device that is nobody's") { $0.isEnrolled = false },
        Case("this server's own loop is no way around") { $0.hasLoop = true },
        Case("one name came to somebody else", open: [.otherServer]) {
            $0.questions = SetupCheckTests.questions(from: phone, [.either, .v4])
        },
        Case("every name by the router", open: [.routerAsks]) {
            $0.questions = SetupCheckTests.questions(from: router)
        },
        Case("some by the router, and no IPv6", open: [.otherServer]) {
            $0.questions = SetupCheckTests.questions(from: phone, [.either])
                .union(SetupCheckTests.questions(from: router, [.v4]))
        },
        Case("the page and the questions by the router", open: [.routerAsks]) {
            $0.address = router
            $0.questions = SetupCheckTests.questions(from: router)
        },
        Case("the page from elsewhere, the questions not", open: [.vpn]) {
            $0.address = "100.64.0.9"
            $0.isAtHome = false
        },
        Case("a proxy, and nothing else amiss", open: [.proxy]) { $0.hasProxy = true },
        Case("behind a proxy the rest is unclear", open: [.proxy], unclear: [.routerAsks]) {
            $0.hasProxy = true
            $0.questions = SetupCheckTests.questions(from: router)
        },
        Case("everything asked, everything refused", held: [.privateDNS, .browserDNS, .privateRelay]) {
            $0.signs = [.encryptedDNS, .browserCanary, .privateRelay]
        },
        Case("asked by nobody's device, and answered", open: [.privateDNS, .browserDNS, .privateRelay]) {
            $0.signs = [.encryptedDNS, .browserCanary, .privateRelay]
            $0.isEnrolled = false
        },
        Case("DDR is refused to everybody", held: [.designatedResolver]) {
            $0.signs = [.designatedResolver]
            $0.isEnrolled = false
        },
        Case("type 65", held: [.serviceRecords]) {
            $0.questions.insert(.init(id: "0", family: .either, address: phone, isServiceBinding: true))
        },
        Case("type 65 by another", open: [.otherServer]) {
            $0.questions.insert(.init(id: "0", family: .either, address: router, isServiceBinding: true))
        },
        Case("over TLS nothing is loaded, and that tells nothing") {
            $0.isSecure = true
            $0.loaded = []
        },
    ]

    static func silent(
        _ name: String, open: Set<Kind> = [], unclear: Set<Kind> = [],
        _ change: @escaping @Sendable (inout Evidence) -> Void
    ) -> Case {
        Case("nothing came: " + name, open: open, unclear: unclear) {
            $0.questions = []
            $0.loaded = []
            change(&$0)
        }
    }

    static let silences = [
        silent("an unknown browser", open: [.otherServer]) { _ in },
        silent("it asked here before", unclear: [.otherServer, .privateDNS]) { $0.asksHere = true },
        silent("a name of an encrypted server", open: [.privateDNS]) { $0.signs = [.encryptedDNS] },
        silent("Firefox goes its own way", unclear: [.otherServer, .privateDNS, .browserDNS]) {
            $0.signs = [.browserCanary]
        },
        silent("Private Relay", open: [.privateRelay]) {
            $0.signs = [.privateRelay]
            $0.system = .apple
        },
        silent("Apple without a sign", unclear: [.otherServer, .vpn, .privateRelay]) { $0.system = .apple },
        silent("Android", unclear: [.otherServer, .privateDNS]) { $0.system = .android },
        silent("IPv6 elsewhere", open: [.otherServer]) {
            $0.hasIPv6 = true
            $0.asksHere = true
        },
        silent("the router asks for somebody", unclear: [.otherServer, .routerAsks]) {
            $0.routerAsksHere = true
        },
        silent("from outside", open: [.vpn]) {
            $0.isAtHome = false
            $0.asksHere = true
        },
        silent("by a proxy", open: [.proxy], unclear: [.otherServer]) { $0.hasProxy = true },
    ]

    static func evidence(_ change: (inout Evidence) -> Void) -> Evidence {
        var evidence = Evidence(address: phone)
        evidence.routers = [router]
        evidence.questions = SetupCheckTests.questions(from: phone)
        evidence.loaded = [.either, .v4, .v6]
        evidence.isEnrolled = true
        change(&evidence)
        return evidence
    }

    @Test(arguments: asking + silences) func ways(_ example: Case) {
        let ways = Self.evidence(example.change).waysAround()
        func some(_ standing: WayAround.Standing) -> Set<Kind> {
            Set(ways.filter { $0.standing == standing }.map(\.kind))
        }
        #expect(ways.map(\.kind) == Kind.allCases)
        #expect(some(.open) == example.open)
        #expect(some(.unclear) == example.unclear)
        // No page can test QUIC, so it is always listed.
        #expect(some(.held) == example.held.union([.quic]))
    }

    @Test(
        "A second server is asked over the protocol that is not used here",
        arguments: [
            (["192.168.1.20"], true, SetupCheck.Family.v6), (["192.168.1.20"], false, .v4),
            (["fd00::20"], true, .v4), (["192.168.1.20", "fd00::20"], true, .either),
        ])
    func families(_ askers: [String], _ hasIPv6: Bool, _ family: SetupCheck.Family) {
        let ways = Self.evidence {
            $0.siblings = ["fd00::20"]
            $0.hasIPv6 = hasIPv6
            $0.questions = Set(askers.map { .init(id: "0", family: .either, address: $0) })
        }.waysAround()
        #expect(ways[0].kind == .otherServer && ways[0].standing == .open)
        #expect(ways[0].isPartial && ways[0].family == family)
    }

    @Test func whoAskedIsNamed() {
        let ways = Self.evidence { $0.questions = SetupCheckTests.questions(from: Self.router) }.waysAround()
        #expect(ways.first { $0.kind == .routerAsks }?.askedBy == Self.router)
        #expect(ways.first { $0.kind == .otherServer }?.askedBy == nil)
    }
}
