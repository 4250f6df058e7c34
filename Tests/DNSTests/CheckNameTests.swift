import Directory
import NIOCore
import Testing

@testable import DNS

/// The one-time names of the set-up check.
@Suite struct CheckNameTests {
    static let id = "0123456789abcdef0123456789abcdef"

    @Test(
        "Answered here, for a second, with the addresses of its family",
        arguments: [
            ("", ["192.168.1.2"], ["fd00::2"]), ("4.", ["192.168.1.2"], []), ("6.", [], ["fd00::2"]),
        ])
    func answers(_ prefix: String, _ v4: [String], _ v6: [String]) {
        let asker = Asker()
        for (type, expected) in [(1, v4), (28, v6), (65, []), (16, [])] as [(UInt16, [String])] {
            let reply = asker.ask("\(prefix)\(Self.id).check.sleep.home.arpa", type, edns: 1232)
            #expect(reply?.flags == 0x8180)
            #expect(reply?.answers.map(\.address) == expected)
            #expect(reply?.answers.allSatisfy { $0.ttl <= 1 } == true)
        }
    }

    @Test("Never an upstream's, not even the home's own, whoever asks")
    func staysHere() {
        let asker = Asker(AnswerTableTests.filter) {
            $0.network.localUpstreams = [
                UpstreamServer(try! SocketAddress(ipAddress: "192.168.1.1", port: 53))
            ]
        }
        for prefix in ["", "4.", "6.", "x.", "4.4."] {
            for client in [Asker.device, Asker.guest] {
                let packet = Message.query("\(prefix)\(Self.id).check.sleep.home.arpa")
                #expect(asker.lookup(packet, from: client) == nil)
            }
        }
    }

    @Test(
        "Other names below are no traces",
        arguments: [
            "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdefa",
            "g123456789abcdef0123456789abcdef",
            "5.0123456789abcdef0123456789abcdef", "44.0123456789abcdef0123456789abcdef",
            "4.6.0123456789abcdef0123456789abcdef", "4",
        ])
    func others(_ name: String) {
        let asker = Asker()
        #expect(asker.ask("\(name).check.sleep.home.arpa")?.rcode == 3)
        #expect(asker.responder.collect().checkQuestions.isEmpty)
    }

    @Test func theNameAboveThemExists() {
        let reply = Asker().ask("check.sleep.home.arpa")
        #expect(reply?.rcode == 0 && reply?.answers == [])
    }

    @Test("Who asked, for which, and how; once each, and handed over once")
    func notes() {
        let asker = Asker()
        let name = "6.\(Self.id).CHECK.sleep.home.arpa"
        _ = asker.ask(name)
        _ = asker.ask(name)
        _ = asker.ask(name, 28, from: ClientAddress("fd00::7")!, isDatagram: false)
        #expect(
            asker.responder.collect().checkQuestions == [
                CheckQuestion(id: Self.id, family: .v6, client: Asker.device, type: 1, isDatagram: true),
                CheckQuestion(
                    id: Self.id, family: .v6, client: ClientAddress("fd00::7")!, type: 28, isDatagram: false),
            ])
        #expect(asker.responder.collect().checkQuestions.isEmpty)
    }

    @Test("A client that floods it crowds nobody out, and all together fill no memory")
    func isBounded() {
        let asker = Asker()
        func flood(_ client: ClientAddress) {
            for number in 0..<100 {
                let digits = String(number, radix: 16)
                let id = String(repeating: "0", count: 32 - digits.count) + digits
                _ = asker.ask("\(id).check.sleep.home.arpa", from: client)
            }
        }
        flood(Asker.guest)
        _ = asker.ask("\(Self.id).check.sleep.home.arpa")
        let noted = asker.responder.collect().checkQuestions
        #expect(noted.count == CheckNotes.mostOfAClient + 1)
        #expect(noted.last?.client == Asker.device)
        for last in 1...50 { flood(ClientAddress("192.168.2.\(last)")!) }
        #expect(asker.responder.collect().checkQuestions.count == CheckNotes.capacity)
    }

    @Test(
        "Signs of another way to resolve are noted of everybody, and the answer is what it was",
        arguments: [
            ("dns.google", EvasionSign.Kind.encryptedResolver),
            ("use-application-dns.net", .browserCanary), ("mask.icloud.com", .relayCanary),
            ("mask-h2.icloud.com", .relayCanary),
        ])
    func signs(_ name: String, _ kind: EvasionSign.Kind) {
        let asker = Asker()
        #expect(asker.lookup(Message.query(name), from: Asker.guest) != nil)
        #expect(asker.lookup(Message.query(name), from: Asker.guest) != nil)
        #expect(asker.responder.collect().evasionSigns == [EvasionSign(client: Asker.guest, kind: kind)])
        #expect(asker.lookup(Message.query("google.com"), from: Asker.guest) != nil)
        #expect(asker.responder.collect().evasionSigns.isEmpty)
    }

    @Test("Whoever looks for an encrypted way to ask (DDR, RFC 9462) is noted, and told that there is none")
    func designatedResolver() {
        let asker = Asker()
        let reply = asker.ask("_dns.resolver.arpa", 64, from: Asker.guest)
        #expect(reply?.rcode == 0 && reply?.answers == [])
        let sign = EvasionSign(client: Asker.guest, kind: .designatedResolver)
        #expect(asker.responder.collect().evasionSigns == [sign])
    }

    @Test(
        "Which record was asked for is handed over",
        arguments: [(1, false), (28, false), (64, true), (65, true)])
    func recordTypes(_ type: Int, _ isServiceBinding: Bool) {
        let asker = Asker()
        _ = asker.ask("\(Self.id).check.sleep.home.arpa", UInt16(type))
        #expect(asker.responder.collect().checkQuestions.map(\.isServiceBinding) == [isServiceBinding])
    }
}
