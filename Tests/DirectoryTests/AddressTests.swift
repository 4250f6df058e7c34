import Testing

@testable import Directory

@Suite struct AddressTests {
    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("fe80::1%eth0", "fe80::1"),
            ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("::1", "::1"), ("::", "::"),
        ])
    func text(written: String, canonical: String) throws {
        let address = try #require(IPAddress(written))
        #expect(address.text == canonical && IPAddress(address.text) == address)
        #expect(IPAddress(address.bytes) == address && address.bytes.count == (address.isV4 ? 4 : 16))
    }

    @Test(arguments: [
        "", "unknown", "1.2.3", "1.2.3.4.5", "02:00:00:00:00:01", "fd00::/8", "127.1", "1.2.3.04",
    ])
    func noAddress(text: String) { #expect(IPAddress(text) == nil) }

    @Test func standIns() throws {
        let card = try #require(MACAddress("02:78:00:00:00:0f"))
        #expect(IPAddress(card).hardware == card && IPAddress(card).namedDevice == nil)
        #expect(IPAddress(device: 7).namedDevice == 7 && IPAddress(device: 7).hardware == nil)
        #expect(IPAddress(card).isStandIn && IPAddress(device: 7).isStandIn)
    }

    @Test func hardware() {
        #expect(MACAddress("AA:bb:00:00:00:01")?.text == "aa:bb:00:00:00:01")
        #expect(MACAddress([2, 0, 0, 0, 0, 1])?.text == "02:00:00:00:00:01")
        for text in ["", "02:00", "00:00:00:00:00:00", "01:00:5e:00:00:01", "02:00:00:00:00:0g"] {
            #expect(MACAddress(text) == nil)
        }
    }
}
