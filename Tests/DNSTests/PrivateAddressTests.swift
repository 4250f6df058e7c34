import Directory
import Testing

@testable import DNS

/// Addresses that a public name must not have, in all their forms.
@Suite struct PrivateAddressTests {
    @Test(arguments: [
        "192.168.1.1", "100.64.0.1", "::", "::1", "fd00::1",
        // NAT64, and NAT64 of one network with its IPv4 address behind 96, 64, 56 and 48 bits (RFC 6052, 2.2).
        "64:ff9b::192.168.1.1", "64:ff9b::127.0.0.1", "64:ff9b:1::10.0.0.1", "64:ff9b:1:a:b:c:192.168.1.1",
        "64:ff9b:1:0:c0:a801:100:0", "64:ff9b:1:c0:a8:101::", "64:ff9b:1:c0a8:1:100::",
        // 6to4, and IPv4-compatible.
        "2002:c0a8:101::1", "2002:a00:1:1::1", "2002:7f00:1::", "::192.168.1.1", "::127.0.0.1", "::10.1.2.3",
    ])
    func hidden(text: String) throws {
        #expect(try #require(ClientAddress(text)).isPrivate)
    }

    @Test(arguments: [
        "9.9.9.9", "2001:db8::1", "2620:fe::fe", "64:ff9b::9.9.9.9", "64:ff9b:1::9.9.9.9",
        "2002:909:909::1", "::9.9.9.9", "64:ff9c::192.168.1.1", "2003:c0a8:101::1",
    ])
    func shown(text: String) throws {
        #expect(!(try #require(ClientAddress(text)).isPrivate))
    }

    @Test("Codes of block lists are private addresses, but no public name must be kept from them")
    func listCodes() throws {
        for (text, leads) in [
            ("127.0.0.1", true), ("127.0.0.2", false), ("127.0.0.255", false), ("127.0.1.0", true),
            ("127.0.0.0", true),
            ("::ffff:127.0.0.2", false), ("192.168.0.2", true), ("9.9.9.9", false),
        ] {
            #expect(try #require(ClientAddress(text)).leadsHome == leads, "\(text)")
        }
    }

    @Test("A server is the home's by its address, or by where its name was found")
    func homeServers() throws {
        let near = [AddressRange(try #require(ClientAddress("2001:db8:77::1")), length: 64)]
        let home = HomeNetworks(near: near)
        func server(_ text: String) throws -> Upstream {
            Upstream(UpstreamServer(try #require(UpstreamAddress(text, port: 53))))
        }
        for (text, isPublic) in [
            ("192.168.1.1", false), ("9.9.9.9", true), ("2001:db8:77::53", false), ("2001:db8:78::53", true),
            ("fe80::1%eth9", false), ("127.0.0.2", false),
        ] {
            #expect(try server(text).isPublic(beyond: home) == isPublic, "\(text)")
        }
        let named = Upstream(
            UpstreamServer(
                transport: .tls, place: .name("dns.example", port: 853), authenticationName: "dns.example"))
        #expect(named.isPublic(beyond: home), "it was not found yet")
        named.note(addresses: [[192, 168, 1, 1]])
        #expect(!named.isPublic(beyond: home))
        named.note(addresses: [[192, 168, 1, 1], [9, 9, 9, 9]])
        #expect(named.isPublic(beyond: home))
    }

    @Test(
        "A reverse proxy's name may lead into the home, and no rule blocks it; names below it are like others"
    )
    func proxyNames() throws {
        let network = Resolver.Network(
            upstreams: [], ownNames: OwnNames(name: "sleep.home.arpa", proxyNames: ["Sleep.example.org"]))
        let table = ServedNames(network, privateAnswersAllowed: []).table
        let match = try #require(table.match("sleep.example.org"))
        #expect(
            ServedNames.Kinds(rawValue: table.firstSets(match)).isSuperset(of: [.proxy, .mayBePrivate]))
        let stands = network.standsBeforeRules()
        #expect(stands("sleep.example.org") && !stands("www.sleep.example.org") && !stands("example.org"))
    }
}
