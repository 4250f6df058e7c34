import Dashboard
import Directory
import Foundation
import Policy
import Testing

@Suite struct BackOffTests {
    private let now: TimeInterval = 1_000
    private let backOff = BackOff()
    private let browser = Trier.known("a browser")

    private func stranger(_ number: Int, in network: String = "home") -> Trier {
        .unknown(Holder(IPAddress(v4: UInt32(number))), network: network)
    }

    @Test("Three tries are free, then each wait is twice the one before, up to 15 minutes")
    func doubles() {
        for trier in [browser, stranger(1)] {
            var now = now
            for _ in 0..<3 { #expect(backOff.admit(trier, at: now) == nil) }
            for wait in [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
                #expect(backOff.admit(trier, at: now) == wait)
                now += TimeInterval(wait) - 0.5
                #expect(backOff.admit(trier, at: now) == 1)
                now += 0.5
                #expect(backOff.admit(trier, at: now) == nil)
            }
        }
    }

    @Test("Another device is not held up by the tries of one, nor is a known browser by those of many")
    func isNotGlobal() {
        for _ in 0..<10 { _ = backOff.admit(stranger(1), at: now) }
        #expect(backOff.admit(stranger(1), at: now) != nil)
        #expect(backOff.admit(stranger(2), at: now) == nil)
        for number in 3..<500 { _ = backOff.admit(stranger(number), at: now) }
        #expect(backOff.admit(stranger(500), at: now) != nil)
        for _ in 0..<3 { #expect(backOff.admit(browser, at: now) == nil) }
        #expect(backOff.admit(browser, at: now) == 2)
    }

    @Test("A device's many IPv6 addresses are one network, and so are the networks of one customer")
    func networks() {
        let holder = Holder(nil)
        #expect(Trier(holder, at: "2001:db8:5::1") == Trier(holder, at: "2001:db8:5:ff::1"))
        #expect(Trier(holder, at: "2001:db8:6::1") != Trier(holder, at: "2001:db8:5::1"))
        #expect(Trier(holder, at: "192.168.1.2") == Trier(holder, at: "192.168.1.200"))
        #expect(Trier(holder, at: "192.168.2.2") != Trier(holder, at: "192.168.1.2"))
    }

    /// Two hundred holders of one network guess as fast as they can for a day.
    @Test(
        "However many devices guess, a network has ten tries at once and then fewer and fewer, down to one a minute"
    )
    func aCrowd() {
        var now = now
        var tries = 0
        var inFirstMinute = 0
        for second in 0..<21_600 {
            for number in 0..<4 where backOff.admit(stranger((second * 4 + number) % 200), at: now) == nil {
                tries += 1
            }
            now += 1
            if second == 60 { inFirstMinute = tries }
        }
        #expect((11...40).contains(inFirstMinute), "\(inFirstMinute)")
        #expect(tries < 600, "\(tries)")
    }

    @Test("Who is told to wait has a turn: it is looked at then, however many others ask meanwhile")
    func turns() throws {
        for number in 0..<60 { _ = backOff.admit(stranger(number), at: now) }
        let honest = stranger(1000)
        let wait = try #require(backOff.admit(honest, at: now))
        #expect(wait < 300)
        for number in 60..<200 { _ = backOff.admit(stranger(number), at: now + 1) }
        #expect(backOff.admit(honest, at: now + TimeInterval(wait) - 1.5) != nil)
        #expect(backOff.admit(honest, at: now + TimeInterval(wait)) == nil)
    }

    @Test("Who guesses in one network holds up nobody in another, until very many are wrong")
    func otherNetworks() {
        for number in 0..<30 { _ = backOff.admit(stranger(number, in: "outside"), at: now) }
        #expect(backOff.admit(stranger(30, in: "outside"), at: now) != nil)
        #expect(backOff.admit(stranger(31), at: now) == nil)
        for number in 0..<100 { _ = backOff.admit(stranger(number, in: "outside \(number)"), at: now) }
        #expect(backOff.admit(stranger(32), at: now) != nil)
    }

    @Test("Passcodes that were right do not count for the others")
    func rightOnes() {
        for number in 0..<100 {
            #expect(backOff.admit(stranger(number), at: now) == nil)
            backOff.succeeded(stranger(number), at: now)
        }
    }

    @Test("Success and a quiet day forget")
    func forgets() {
        for _ in 0..<4 { _ = backOff.admit(browser, at: now) }
        #expect(backOff.admit(browser, at: now) == 2)
        backOff.succeeded(browser, at: now)
        #expect(backOff.admit(browser, at: now) == nil)
        for _ in 0..<8 { _ = backOff.admit(stranger(1), at: now) }
        #expect(backOff.admit(stranger(1), at: now + 86_401) == nil)
    }

    @Test("Ten thousand devices do not fill the memory, and the newest are remembered")
    func bounded() {
        for number in 0..<10_000 {
            _ = backOff.admit(.known("\(number)"), at: now + TimeInterval(number) / 1000)
        }
        for _ in 0..<3 { _ = backOff.admit(.known("9999"), at: now + 10) }
        #expect(backOff.admit(.known("9999"), at: now + 10) != nil)
    }
}

@Suite struct PasscodeHashTests {
    @Test("A passcode matches its own hash only, however its letters are composed")
    func matches() throws {
        let hash = try PasscodeHash("gr\u{FC}n 1234")
        #expect(hash.text.hasPrefix("scrypt$16384$8$4$"))
        #expect(try PasscodeHash(text: hash.text).matches("gru\u{308}n 1234"))
        #expect(try !hash.matches("grun 1234"))
        #expect(try PasscodeHash("gr\u{FC}n 1234").text != hash.text)
    }

    @Test("A passcode of an older version, which was hashed in twice the memory, still matches")
    func older() throws {
        let text =
            "scrypt$32768$8$1$AAECAwQFBgcICQoLDA0ODw==$CuM2LRqoJ43KQW2DfcExoDLlB6kvA+H8MOCbsOlAoPk="
        #expect(try PasscodeHash(text: text).matches("moonlight-42"))
        #expect(try !PasscodeHash(text: text).matches("moonlight-43"))
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
    private let hosts = OwnNames(name: "sleep.home.arpa", hostName: "Pi")

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
