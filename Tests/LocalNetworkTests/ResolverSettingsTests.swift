import LocalNetwork
import Testing

@Suite struct ResolverSettingsTests {
    @Test func readsWhatResolversRead() {
        let settings = ResolverSettings(
            text: """
                # made by hand
                domain old.example
                search Fritz.Box. lan ; the last one counts
                nameserver 192.168.178.1
                nameserver FE80::1%eth0
                nameserver nonsense
                nameserver
                options edns0
                """)
        #expect(settings.resolvers == ["192.168.178.1", "fe80::1%eth0"])
        #expect(settings.searchDomains == ["fritz.box", "lan"])
        #expect(settings.skipped == ["nameserver nonsense"])
    }

    @Test("A line that nobody can use is skipped and told; a zone counts for link-local addresses only")
    func skips() {
        let settings = ResolverSettings(
            text: [
                "search .", "search a..b", "nameserver fe80::1%wlan9", "nameserver 203.0.113.1%wan0",
                "nameserver 2001:db8::53%eth9", "nameserver fe80::2", "nameserver 192.168.1",
                "nameserver %eth0",
                "nameserver 300.1.1.1", "nameserver ::ffff:192.0.2.1", "nameserver\tfe80::3%",
                "search lan. .x.example",
            ].joined(separator: "\r\n"))
        #expect(
            settings.resolvers == ["fe80::1%wlan9", "203.0.113.1", "2001:db8::53", "192.0.2.1"])
        #expect(settings.searchDomains == ["lan", "x.example"])
        #expect(
            settings.skipped == [
                "nameserver fe80::2", "nameserver 192.168.1", "nameserver %eth0", "nameserver 300.1.1.1",
                "nameserver fe80::3%",
            ])
    }

    @Test func ownAddressesAreNoUpstreams() {
        let settings = ResolverSettings(resolvers: [
            "127.0.0.53", "192.168.1.2", "::1", "0.0.0.0", "::", "192.168.1.1",
        ])
        let own = LocalAddress(interface: "eth0", address: "192.168.1.2", prefixLength: 24, reach: .home)
        #expect(settings.without([own]).resolvers == ["192.168.1.1"])
    }
}
