import NIOCore
import Testing

@testable import DNS

/// The refused names that DNS reports.
struct RefusedNamesTests {
    @Test("Told once for each client and name, whatever was asked and in whatever case")
    func toldOnce() {
        let asker = Asker(AnswerTableTests.filter)
        for (name, type) in [("video.example", 1), ("Video.Example", 28), ("video.example", 65)]
            as [(String, UInt16)]
        {
            _ = asker.ask(name, type)
        }
        _ = asker.ask("cdn.uncatalogued.com")
        let refused = asker.responder.collect().refused
        #expect(
            Set(refused) == [
                RefusedName(client: Asker.device, name: "video.example"),
                RefusedName(client: Asker.device, name: "cdn.uncatalogued.com"),
            ])
        #expect(refused.count == 2)
        #expect(asker.responder.collect().refused.isEmpty, "it begins anew")
        _ = asker.ask("video.example")
        #expect(asker.responder.collect().refused.count == 1)
    }

    @Test(
        "Nothing of what is allowed, always reachable, a canary, another DNS, or a stranger's",
        arguments: [
            "allowed.example", "pool.ntp.org", "use-application-dns.net", "dns.google", "sleep.home.arpa",
        ])
    func notRefused(_ name: String) {
        let asker = Asker(AnswerTableTests.filter)
        _ = asker.ask(name)
        _ = asker.ask("video.example", from: Asker.guest)
        #expect(asker.responder.collect().refused.isEmpty)
    }

    @Test("One that was asked upstream before the rules changed is told too")
    func refusedOnItsWayBack() {
        let asker = Asker()
        #expect(asker.lookup(Message.query("video.example", 1)) != nil)
        #expect(asker.responder.collect().refused.isEmpty)
        asker.responder.apply(AnswerTableTests.filter)
        _ = asker.ask("video.example", resolution: .failed)
        #expect(asker.responder.collect().refused.map(\.name) == ["video.example"])
    }

    @Test("Bounded between two collections, and counted on afterwards")
    func bounded() {
        let asker = Asker(AnswerTableTests.filter)
        for number in 0..<2_000 { _ = asker.ask("n\(number).example") }
        #expect(asker.responder.collect().refused.count == RefusedNames.capacity)
        _ = asker.ask("one.more.example")
        #expect(asker.responder.collect().refused.map(\.name) == ["one.more.example"])
    }

    @Test("Bytes that no host name has are left out")
    func hostileNames() {
        let asker = Asker(AnswerTableTests.filter)
        let question: [[UInt8]] = [Array("<b>".utf8), [0, 1, 46], [0xff], [13, 10]]
        for label in question {
            var packet = Message.query("x.example", 1)
            packet.replaceSubrange(12..<14, with: [UInt8(label.count)] + label)
            _ = asker.raw(packet)
        }
        _ = asker.ask("_dmarc.a-b.example")
        #expect(asker.responder.collect().refused.map(\.name) == ["_dmarc.a-b.example"])
    }
}
