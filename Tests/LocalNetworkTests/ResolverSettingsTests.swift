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
    }

    @Test func ownAddressesAreNoUpstreams() {
        let settings = ResolverSettings(resolvers: ["127.0.0.53", "192.168.1.2", "::1", "192.168.1.1"])
        let own = LocalAddress(interface: "eth0", address: "192.168.1.2", prefixLength: 24, reach: .home)
        #expect(settings.without([own]).resolvers == ["192.168.1.1"])
    }
}
