import Dashboard
import Foundation
import Testing

@Suite struct BackOffTests {
    private let now = TestHouse.evening

    @Test("Three tries are free, then each wait is twice the one before, up to 15 minutes")
    func doubles() {
        let backOff = BackOff()
        var now = now
        for _ in 0..<3 { #expect(backOff.admit("192.0.2.1", at: now) == nil) }
        for wait in [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            #expect(backOff.admit("192.0.2.1", at: now) == wait)
            now += TimeInterval(wait) - 0.5
            #expect(backOff.admit("192.0.2.1", at: now) == 1)
            now += 0.5
            #expect(backOff.admit("192.0.2.1", at: now) == nil)
        }
    }

    @Test("It is never global: another address is not held up")
    func perAddress() {
        let backOff = BackOff()
        for _ in 0..<10 { _ = backOff.admit("192.0.2.1", at: now) }
        #expect(backOff.admit("192.0.2.1", at: now) != nil)
        #expect(backOff.admit("192.0.2.2", at: now) == nil)
    }

    @Test("A device's many IPv6 addresses are one")
    func prefixes() {
        let backOff = BackOff()
        for host in 1...3 { #expect(backOff.admit("2001:db8::\(host)", at: now) == nil) }
        #expect(backOff.admit("2001:db8::ffff", at: now) == 2)
        #expect(backOff.admit("2001:db8:0:1::1", at: now) == nil)
    }

    @Test("Success and a quiet day forget; a clock that went back does not wait longer")
    func forgets() {
        let backOff = BackOff()
        for _ in 0..<4 { _ = backOff.admit("a", at: now) }
        #expect(backOff.admit("a", at: now - 86_400) == 2)
        #expect(backOff.admit("a", at: now - 86_398) == nil, "nor for as long as the clock was ahead")
        backOff.succeeded("a")
        #expect(backOff.admit("a", at: now) == nil)
        for _ in 0..<8 { _ = backOff.admit("b", at: now) }
        #expect(backOff.admit("b", at: now + 86_401) == nil)
    }

    @Test("Ten thousand addresses do not fill the memory, and the newest are remembered")
    func bounded() {
        let backOff = BackOff()
        for number in 0..<10_000 {
            _ = backOff.admit("10.0.\(number / 250).\(number % 250)", at: now + TimeInterval(number) / 1000)
        }
        for _ in 0..<3 { _ = backOff.admit("10.0.39.249", at: now + 10) }
        #expect(backOff.admit("10.0.39.249", at: now + 10) != nil)
    }
}

@Suite struct PasscodeHashTests {
    @Test("A passcode matches its own hash only, however its letters are composed")
    func matches() throws {
        let hash = try PasscodeHash("gr\u{FC}n 1234")
        #expect(hash.text.hasPrefix("scrypt$32768$8$1$"))
        #expect(try PasscodeHash(text: hash.text).matches("gru\u{308}n 1234"))
        #expect(try !hash.matches("grun 1234"))
        #expect(try PasscodeHash("gr\u{FC}n 1234").text != hash.text)
    }

    @Test(
        "A broken hash matches nothing",
        arguments: [
            "", "scrypt", "scrypt$0$8$1$AAAA$AAAA", "scrypt$99999999$8$1$AAAA$AAAA", "md5$1$1$1$AAAA$AAAA",
        ])
    func broken(_ text: String) throws {
        #expect(try !PasscodeHash(text: text).matches(""))
    }
}

@Suite struct OwnHostsTests {
    private let hosts = OwnHosts(name: "sleep.home.arpa", machine: "Pi")

    @Test(
        "Own Hosts, at any port",
        arguments: [
            "sleep.home.arpa", "SLEEP.home.arpa:8080", "sleep.home.arpa.", "pi", "pi.local:80", "localhost",
            "localhost:8600", "127.0.0.1", "192.168.1.2:8080", "[::1]", "[fe80::1]:8080", "[::ffff:10.0.0.1]",
        ])
    func own(_ host: String) { #expect(hosts.contains(host)) }

    @Test(
        "Everybody else's",
        arguments: [
            "", "tiktok.com", "sleep.home.arpa.evil.example", "xsleep.home.arpa", "pi.local.evil.example",
            "sleep.home.arpa:80:80", "sleep.home.arpa:x", "127.0.0.1.nip.io", "[::1", "[tiktok.com]", "::1x",
            "1.2.3", "localhost@evil.example", "sleep.home.arpa/", "0x7f.1",
        ])
    func foreign(_ host: String) { #expect(!hosts.contains(host)) }
}

@Suite struct JSONTextTests {
    @Test("Order, nulls and escapes stay")
    func text() {
        let json = JSONText.object([
            ("b", .null), ("a", .array([.int(1), .bool(true)])), ("t", .string("\"\\\n</script>&é🌙\u{7f}")),
        ])
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"b":null,"a":[1,true],"t":"\"\\\u000a\u003c/script\u003e\u0026é🌙\u007f"}"#)
    }

    @Test("Instants are ISO 8601 in UTC, with milliseconds where there are some")
    func instants() {
        #expect(JSONText.instant(TestHouse.evening) == .string("2026-11-20T19:00:00Z"))
        #expect(JSONText.instant(TestHouse.evening + 0.25) == .string("2026-11-20T19:00:00.250Z"))
        #expect(JSONText.instant(nil) == .null)
    }
}
