import Testing

@testable import Policy

/// The cause for every combination of signs that leads to a different answer.
@Suite struct SetupCheckTests {
    typealias Evidence = SetupCheck.Evidence
    static let phone = "192.168.1.20"
    static let router = "192.168.1.1"

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let causes: [SetupCheck.Cause]
        let askedBy: String?
        let change: @Sendable (inout Evidence) -> Void

        init(
            _ name: String, _ causes: [SetupCheck.Cause], askedBy: String? = nil,
            _ change: @escaping @Sendable (inout Evidence) -> Void
        ) {
            testDescription = name
            self.causes = causes
            self.askedBy = askedBy
            self.change = change
        }
    }

    static func questions(
        from address: String, _ families: [SetupCheck.Family] = SetupCheck.Family.allCases
    ) -> Set<SetupCheck.Question> {
        Set(families.map { .init(id: "0", family: $0, address: address) })
    }

    static let asked = [
        Case("every name, asked and loaded", [.works]) { _ in },
        Case("by another address of the same device", [.works]) {
            $0.questions = questions(from: "fd00::20")
            $0.siblings = ["fd00::20"]
        },
        Case("one family never came", [.ipv6Elsewhere]) {
            $0.questions = questions(from: phone, [.either, .v4])
        },
        Case("somebody else's answer was taken", [.ipv6Elsewhere]) { $0.loaded = [] },
        Case("some by the router", [.ipv6Elsewhere], askedBy: router) {
            $0.questions = questions(from: phone, [.either]).union(questions(from: router, [.v4]))
            $0.hasIPv6 = true
        },
        Case("some by the router, and no IPv6 anywhere", [.routerAsks], askedBy: router) {
            $0.questions = questions(from: phone, [.either]).union(questions(from: router, [.v4]))
        },
        Case("all by the router", [.routerAsks], askedBy: router) { $0.questions = questions(from: router) },
        Case("all by a repeater", [.routerAsks], askedBy: "192.168.1.3") {
            $0.questions = questions(from: "192.168.1.3")
        },
        Case("pages and questions both through the router", [.routerAsks]) {
            $0.address = router
            $0.questions = questions(from: router)
        },
        Case("a page through the router, the question not", [.relayOrVPN], askedBy: phone) {
            $0.address = router
            $0.questions = questions(from: phone)
        },
        Case("a page from outside, the question not", [.relayOrVPN], askedBy: phone) {
            $0.address = "100.64.0.9"
            $0.isAtHome = false
            $0.questions = questions(from: phone)
        },
        Case(
            "a page from another network of the house, the question by the router", [.routerAsks],
            askedBy: router
        ) {
            $0.address = "10.0.20.5"
            $0.isAtHome = false
            $0.questions = questions(from: router)
        },
        Case("a loop comes first", [.loop]) { $0.hasLoop = true },
    ]

    static func silent(
        _ name: String, _ causes: [SetupCheck.Cause], _ change: @escaping @Sendable (inout Evidence) -> Void
    ) -> Case {
        Case("nothing came: " + name, causes) {
            $0.questions = []
            $0.loaded = []
            change(&$0)
        }
    }

    static let silences = [
        silent("an unknown browser", [.notPointed]) { _ in },
        silent("it asked here before, and may have another server now", [.privateDNS, .notPointed]) {
            $0.asksHere = true
        },
        silent("a DoH name", [.privateDNS]) { $0.signs = [.encryptedDNS] },
        silent("Firefox's canary", [.privateDNS, .notPointed]) { $0.signs = [.browserCanary] },
        silent("Apple's relay", [.relayOrVPN]) {
            $0.signs = [.privateRelay]
            $0.system = .apple
        },
        silent("a relay's name, but not on Apple", [.notPointed]) { $0.signs = [.privateRelay] },
        silent("Android", [.privateDNS, .notPointed]) { $0.system = .android },
        silent("Android that asked before", [.privateDNS, .notPointed]) {
            $0.system = .android
            $0.asksHere = true
        },
        silent("Android with IPv6", [.privateDNS, .ipv6Elsewhere]) {
            $0.system = .android
            $0.asksHere = true
            $0.hasIPv6 = true
        },
        silent("Apple", [.relayOrVPN, .notPointed]) { $0.system = .apple },
        silent("Apple that asked before", [.relayOrVPN, .notPointed]) {
            $0.system = .apple
            $0.asksHere = true
        },
        silent("IPv6, asked before", [.ipv6Elsewhere]) {
            $0.hasIPv6 = true
            $0.asksHere = true
        },
        silent("IPv6, never asked", [.ipv6Elsewhere, .notPointed]) { $0.hasIPv6 = true },
        silent("the router asks for somebody", [.routerAsks, .notPointed]) { $0.routerAsksHere = true },
        silent("from outside", [.relayOrVPN, .notPointed]) { $0.isAtHome = false },
        silent("from outside, asked before", [.relayOrVPN]) {
            $0.isAtHome = false
            $0.asksHere = true
        },
        silent("a loop", [.loop]) { $0.hasLoop = true },
    ]

    @Test(arguments: asked + silences) func finding(_ example: Case) {
        var evidence = Evidence(address: Self.phone)
        evidence.routers = [Self.router]
        evidence.questions = Self.questions(from: Self.phone)
        evidence.loaded = [.either, .v4, .v6]
        example.change(&evidence)
        let finding = evidence.finding()
        #expect(finding.causes == example.causes && finding.askedBy == example.askedBy)
        #expect(finding.isSilence == (evidence.questions.isEmpty && !evidence.hasLoop))
    }

    @Test("Whatever the signs, there is an answer; each cause appears once, and `works` stands alone")
    func neverNothing() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var evidence = Evidence(address: Bool.random() ? Self.phone : Self.router)
            evidence.routers = Bool.random() ? [Self.router] : []
            evidence.siblings = Bool.random() ? ["fd00::20"] : []
            evidence.isAtHome = Bool.random()
            evidence.system = SetupCheck.System.allCases.randomElement(using: &random) ?? .other
            evidence.hasIPv6 = Bool.random()
            evidence.asksHere = Bool.random()
            evidence.routerAsksHere = Bool.random()
            evidence.hasLoop = Int.random(in: 0..<8) == 0
            for address in [Self.phone, Self.router, "fd00::20", "192.168.1.3"] where Bool.random() {
                evidence.questions.formUnion(
                    Self.questions(from: address, [.either, .v4, .v6].filter { _ in .random() }))
            }
            evidence.loaded = Bool.random() ? [.either] : []
            for sign in [SetupCheck.Sign.encryptedDNS, .browserCanary, .privateRelay] where Bool.random() {
                evidence.signs.insert(sign)
            }
            let causes = evidence.finding().causes
            #expect(!causes.isEmpty && Set(causes).count == causes.count)
            if causes.contains(.works) || causes.contains(.loop) { #expect(causes.count == 1) }
        }
    }
}
