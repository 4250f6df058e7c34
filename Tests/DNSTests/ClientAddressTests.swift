import Directory
import NIOCore
import Testing

@testable import DNS

@Suite struct ClientAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("fe80::1%eth0", "fe80::1"),
        ("2001:DB8:0:0::1", "2001:db8::1"), ("::", "::"), ("255.255.255.255", "255.255.255.255"),
    ])
    func hasOneForm(text: String, canonical: String) {
        let address = ClientAddress(text)
        #expect(address?.text == canonical)
        #expect(address == ClientAddress(canonical))
        #expect(address?.isV4 == !canonical.contains(":"))
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.256", "::1::", "host", "1.2.3.4:53", "[::1]"])
    func refusesWhatIsNone(text: String) {
        #expect(ClientAddress(text) == nil)
    }

    @Test func isTheSameThroughEverySocket() throws {
        let plain = try SocketAddress(ipAddress: "192.0.2.1", port: 5353)
        let mapped = try SocketAddress(ipAddress: "::ffff:192.0.2.1", port: 1)
        #expect(ClientAddress(plain) == ClientAddress(mapped))
        #expect(ClientAddress(try SocketAddress(unixDomainSocketPath: "/x")) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0", 8, "10.255.255.255", "11.0.0.0"), ("172.16.0.0", 12, "172.31.0.1", "172.32.0.0"),
        ("192.0.2.77", 32, "192.0.2.77", "192.0.2.78"), ("fe80::", 10, "febf::1", "fec0::1"),
        ("2001:db8::", 65, "2001:db8::7fff:0:0:0", "2001:db8:0:0:8000::"), ("::1", 128, "::1", "::2"),
    ])
    func rangesEndWhereTheyEnd(base: String, length: Int, inside: String, outside: String) throws {
        let range = AddressRange(try #require(ClientAddress(base)), length: length)
        #expect(range.contains(try #require(ClientAddress(inside))))
        #expect(!range.contains(try #require(ClientAddress(outside))))
    }

    @Test func aRangeOfAllIPv4HoldsNoIPv6() {
        let all = AddressRange(ClientAddress("0.0.0.0")!, length: 0)
        #expect(all.contains(ClientAddress("203.0.113.5")!))
        #expect(!all.contains(ClientAddress("2001:db8::1")!))
    }

    @Test func listedNamesAreNamesAndListedOnce() {
        let names = CanaryNames.canaries.suffixes + CanaryNames.encryptedResolvers.suffixes
        #expect(names.allSatisfy { WireName.wire($0) != nil && $0 == $0.lowercased() })
        #expect(Set(names).count == names.count)
    }
}
