import ArgumentParser
import DNS
import Directory
import LocalNetwork
import Testing

@testable import SleepInducer

/// Flags, their twins in the environment, and what follows from them.
@Suite struct FlagTests {
    @Test func theEnvironmentStandsInForFlags() {
        let words = EnvironmentFlags.adding(
            to: ["serve", "--http-port", "8081"],
            from: [
                "SLEEP_INDUCER_HTTP_PORT": "9090", "SLEEP_INDUCER_DNS_PORT": "off",
                "SLEEP_INDUCER_UPSTREAM": "9.9.9.9,1.1.1.1:5353", "SLEEP_INDUCER_NAME": "", "OTHER": "x",
            ])
        #expect(
            words == [
                "serve", "--http-port", "8081", "--dns-port=off", "--upstream=9.9.9.9",
                "--upstream=1.1.1.1:5353",
            ])
    }

    @Test(arguments: ["token", "explain", "export", "import", "healthy"])
    func otherCommandsTakeThePlaceOfTheDataOnly(command: String) {
        let words = EnvironmentFlags.adding(
            to: [command], from: ["SLEEP_INDUCER_DATA": "/srv/si", "SLEEP_INDUCER_HTTP_PORT": "9090"])
        #expect(words == [command, "--data=/srv/si"])
    }

    @Test func everyFlagOfServeHasATwin() {
        let help = ServeCommand.helpMessage(columns: 400)
        for flag in EnvironmentFlags.single + EnvironmentFlags.repeated {
            #expect(help.contains("--\(flag) "), "--\(flag)")
        }
        let flags = help.split(separator: "\n").compactMap { line -> String? in
            let word = line.drop { $0 == " " }.prefix { $0 != " " }
            return word.hasPrefix("--") && word != "--version" ? String(word.dropFirst(2)) : nil
        }
        #expect(Set(flags) == Set(EnvironmentFlags.single + EnvironmentFlags.repeated))
    }

    @Test(
        arguments: [
            ("9.9.9.9", "9.9.9.9", nil), ("9.9.9.9:5353", "9.9.9.9", 5353),
            ("2620:fe::fe", "2620:fe::fe", nil),
            ("[2620:fe::fe]:853", "2620:fe::fe", 853), ("[::1]", "::1", nil),
        ] as [(String, String, Int?)])
    func serverAddresses(text: String, host: String, port: Int?) throws {
        let address = try #require(ServerAddress(argument: text))
        #expect(address.host == host)
        #expect(address.port == port)
    }

    @Test(
        arguments: [
            ("9.9.9.9", "9.9.9.9", nil), ("[2620:fe::fe]:5353", "[2620:fe::fe]:5353", nil),
            ("tls://1.1.1.1", "tls://1.1.1.1:853", nil),
            ("tls://1.1.1.1#cloudflare-dns.com", "tls://1.1.1.1:853", "cloudflare-dns.com"),
            ("tls://[2620:fe::fe]:8853#dns.quad9.net", "tls://[2620:fe::fe]:8853", "dns.quad9.net"),
            ("tls://1.1.1.1:443", "tls://1.1.1.1:443", nil),
            ("tls://dns.quad9.net", "tls://dns.quad9.net:853", "dns.quad9.net"),
            ("https://dns.quad9.net/dns-query", "https://dns.quad9.net/dns-query", "dns.quad9.net"),
            ("https://9.9.9.9:5053/dns-query", "https://9.9.9.9:5053/dns-query", nil),
            ("https://[2620:fe::fe]/q/abc", "https://[2620:fe::fe]/q/abc", nil),
            ("HTTPS://DNS.Quad9.net/", "https://dns.quad9.net/", "dns.quad9.net"),
        ] as [(String, String, String?)])
    func upstreams(text: String, description: String, name: String?) throws {
        let server = try UpstreamChoice(text).server
        #expect(server.description == description)
        #expect(server.authenticationName == name)
        #expect(server.isPlain == !text.contains("://"))
    }

    @Test(arguments: [
        "", "dns.google", "9.9.9.9:0", "tls://", "tls://9.9.9", "tls://9.9.9.9:0", "tls://9.9.9.9#",
        "tls://9.9.9.9#a b", "tls://dns.quad9.net:99999", "https://dns.quad9.net", "https:///dns-query",
        "https://9.9.9.9/dns-query{?dns}", "https://9.9.9.9/a#b", "quic://9.9.9.9", "sdns://AgcAAAA",
        "https://user@9.9.9.9/dns-query", "://", "tls://1.2.3.4:853:853",
    ])
    func whatIsNoUpstream(text: String) {
        #expect(throws: (any Error).self) { try UpstreamChoice(text) }
    }

    @Test func aWrongUpstreamIsOneClearLine() {
        let fault = #expect(throws: (any Error).self) {
            try ServeCommand.parse(["--upstream", "quic://9.9.9.9"])
        }
        let line = fault.map { ServeCommand.message(for: $0) } ?? ""
        #expect(line.contains("quic:// is not supported. Use an address, tls://ADDR[:853][#name]"))
        #expect(!line.contains("\n"))
    }

    @Test(arguments: [
        "", "dns.google", "9.9.9", "9.9.9.9:0", "9.9.9.9:99999", "[::1]x", "[::1]:", "1.2.3.4:53:53",
    ])
    func whatIsNoServerAddress(text: String) {
        #expect(ServerAddress(argument: text) == nil)
    }

    @Test func aTrialHasPortsOfItsOwn() throws {
        let plain = try ServeCommand.parse([])
        #expect(Ports(plain, mayOpenLowPorts: true).dns == 53)
        #expect(!Ports(plain, mayOpenLowPorts: true).isTrial)
        let trial = Ports(plain, mayOpenLowPorts: false)
        #expect(trial.http == 8080 && trial.https == 8443 && trial.dns == 5300 && trial.isTrial)
        let chosen = Ports(
            try ServeCommand.parse(["--http-port", "80", "--dns-port", "off"]), mayOpenLowPorts: false)
        #expect(chosen.http == 80 && chosen.dns == nil && !chosen.isTrial)
    }
}

/// Which addresses are listened on, and what a blocked page leads to.
@Suite struct ListeningTests {
    static let machine = [
        LocalAddress(interface: "lo", address: "127.0.0.1", prefixLength: 8, reach: .loopback),
        LocalAddress(interface: "eth0", address: "192.168.1.5", prefixLength: 24, reach: .home),
        LocalAddress(interface: "eth0", address: "fe80::5", prefixLength: 64, reach: .link),
        LocalAddress(interface: "eth0", address: "fd00::5", prefixLength: 64, reach: .home),
    ]

    @Test func aPageHostLeadsToTheInterfaceAsked() throws {
        let listening = Listening(machine: Self.machine, bind: [], advertised: nil)
        let endpoints = Dictionary(
            uniqueKeysWithValues: zip(listening.addresses, listening.endpoints(port: 53, dotPort: nil)))
        #expect(endpoints["192.168.1.5"]?.v4?.text == "192.168.1.5")
        #expect(endpoints["192.168.1.5"]?.v6?.text == "fd00::5", "never the link-local one")
        #expect(endpoints["127.0.0.1"]?.v4?.text == "127.0.0.1")
        #expect(listening.shown == "192.168.1.5")
    }

    @Test("A forwarder beside it asks over loopback for devices, to which loopback would be themselves")
    func aForwarderBesideIt() throws {
        func loopback(_ machine: [LocalAddress], bind: [String] = [], _ forwarders: String...) -> Endpoint? {
            let listening = Listening(machine: machine, bind: bind, advertised: nil, forwarders: forwarders)
            let index = listening.addresses.firstIndex(of: "127.0.0.1")
            return index.map { listening.endpoints(port: 53, dotPort: nil)[$0] }
        }
        let asked = try #require(loopback(Self.machine, "127.0.0.1"))
        #expect(asked.v4?.text == "192.168.1.5" && asked.v6?.text == "fd00::5")
        #expect(loopback(Self.machine, "192.168.1.1")?.v4?.text == "127.0.0.1")
        #expect(loopback([Self.machine[0]], "127.0.0.1")?.v4?.text == "127.0.0.1", "there is no other yet")
        #expect(loopback(Self.machine, bind: ["127.0.0.1"], "127.0.0.1")?.v4?.text == "127.0.0.1")
    }

    @Test func anAdvertisedAddressWinsAndTheOtherFamilyHasNone() {
        let listening = Listening(machine: Self.machine, bind: ["192.168.1.5"], advertised: "192.168.1.9")
        let endpoints = listening.endpoints(port: 53, dotPort: nil)
        #expect(endpoints.count == 1)
        #expect(endpoints[0].v4?.text == "192.168.1.9" && endpoints[0].v6 == nil)
        #expect(listening.shown == "192.168.1.9")
    }
}
