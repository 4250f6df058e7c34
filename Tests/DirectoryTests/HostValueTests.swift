import Directory
import Testing

@Suite struct HostValueTests {
    @Test(arguments: [
        ("tiktok.com", HostValue.name("tiktok.com")), ("TikTok.COM.", .name("tiktok.com")),
        ("tiktok.com:80", .name("tiktok.com")), ("tiktok.com:", .name("tiktok.com")),
        (" a.b \t", .name("a.b")),
        ("xn--bcher-kva.example", .name("xn--bcher-kva.example")), ("_dmarc.a", .name("_dmarc.a")),
        ("sleep", .name("sleep")), ("1.2.3", .name("1.2.3")), ("999.1.1.1", .name("999.1.1.1")),
        ("127.0.0.1", .address("127.0.0.1")), ("192.168.1.5:8080", .address("192.168.1.5")),
        ("10.0.0.1.", .address("10.0.0.1")), ("[::1]", .address("::1")),
        ("[FD00::5]:443", .address("fd00::5")),
        ("[fe80::1%25eth0]", .address("fe80::1")), ("::1", .address("::1")),
        ("[::ffff:1.2.3.4]", .address("::ffff:1.2.3.4")),
        ("", .malformed), (" ", .malformed), (".", .malformed), ("a..b", .malformed), (".a", .malformed),
        ("a b", .malformed), ("a/b", .malformed), ("a@b", .malformed), ("user@localhost", .malformed),
        ("localhost:99999", .malformed), ("localhost:x", .malformed), ("localhost:80:80", .malformed),
        ("localhost:-1", .malformed), ("[::1", .malformed), ("[::1]x", .malformed),
        ("[localhost]", .malformed),
        ("[127.0.0.1]", .malformed), ("löcalhost", .malformed), ("%6cocalhost", .malformed),
        ("localhost\u{0}", .malformed), ("a,localhost", .malformed), ("localhost..", .malformed),
        (String(repeating: "a", count: 64), .malformed),
        (String(repeating: "a", count: 63) + ".b", .name(String(repeating: "a", count: 63) + ".b")),
        (Array(repeating: "abcdefg", count: 32).joined(separator: "."), .malformed),
    ])
    func parses(text: String, value: HostValue) {
        #expect(HostValue(text) == value)
        #expect(HostValue(text.utf8) == value)
    }

    private let own = OwnNames(
        name: "Sleep.home.arpa", hostName: "Pi.fritz.box", searchDomains: ["fritz.box", "lan", "bad..name"],
        proxyNames: ["Sleep.example.org"])

    @Test(arguments: [
        "sleep.home.arpa", "SLEEP.HOME.ARPA.:8080", "pi", "pi.fritz.box", "pi.local", "PI.LOCAL:80",
        "localhost",
        "localhost:1", "127.0.0.1", "8.8.8.8", "[2001:db8::1]:80", "[::1]", "pi.lan", "pi.fritz.box.local",
        "sleep.example.org",
    ])
    func isOurs(host: String) {
        #expect(own.contains(HostValue(host)))
    }

    @Test(arguments: [
        "tiktok.com", "home.arpa", "x.sleep.home.arpa", "sleep.home.arpa.evil.example", "fritz.box", "local",
        "localhost.evil.example", "127.0.0.1.evil.example", "", "pi.fritz.box.fritz.box", "2130706433",
        "0x7f.1",
    ])
    func isForeign(host: String) {
        #expect(!own.contains(HostValue(host)))
    }

    @Test("Every name of the machine leads here, its own first; a name of a reverse proxy leads to the proxy")
    func all() {
        #expect(
            own.all == [
                "sleep.home.arpa", "pi.fritz.box", "pi", "pi.fritz.box.local", "pi.fritz.box.lan",
                "pi.local", "pi.lan",
            ])
        #expect(OwnNames(name: "Bed.lan", hostName: "").all == ["bed.lan"])
        #expect(OwnNames(name: "bed.lan", hostName: "no name").all == ["bed.lan"])
        #expect(own.admits(HostValue("a.check.sleep.home.arpa")))
        #expect(!own.contains(HostValue("a.check.sleep.home.arpa")))
    }

    @Test func absoluteTargetsNameTheirHost() {
        #expect(HostValue(absoluteTarget: "http://TikTok.com:80/x?y") == .name("tiktok.com"))
        #expect(HostValue(absoluteTarget: "https://[fd00::1]/") == .address("fd00::1"))
        #expect(HostValue(absoluteTarget: "http://a@tiktok.com/") == .malformed)
        #expect(HostValue(absoluteTarget: "http:///x") == .malformed)
        #expect(HostValue(absoluteTarget: "/http://tiktok.com") == nil)
    }
}
