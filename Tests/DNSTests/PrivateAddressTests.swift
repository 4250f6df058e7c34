import Directory
import Testing

@testable import DNS

/// Addresses that a public name must not have, in all their forms (issue 16, point 27).
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

    @Test(
        "A reverse proxy's name may lead into the home, and no rule blocks it; names below it are like others"
    )
    func proxyNames() throws {
        var configuration = Resolver.Configuration(upstreams: [])
        configuration.proxyNames = ["Sleep.example.org"]
        let table = ServedNames(
            ownNames: configuration.ownNames, searchDomains: [], privateAnswersAllowed: [],
            proxyNames: configuration.proxyNames
        ).table
        let match = try #require(table.match("sleep.example.org"))
        #expect(
            ServedNames.Kinds(rawValue: table.firstSets(match)).isSuperset(of: [.proxy, .mayBePrivate]))
        let stands = configuration.standsBeforeRules()
        #expect(stands("sleep.example.org") && !stands("www.sleep.example.org") && !stands("example.org"))
    }
}
