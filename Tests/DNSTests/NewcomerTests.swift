import Directory
import NIOCore
import Testing

@testable import DNS

/// A device with an unknown address: its hardware address identifies it from its first answer on.
struct NewcomerTests {
    private static let phone = MACAddress("02:78:00:00:00:0f")!
    private static let fresh = ClientAddress("192.168.1.77")!

    private let asker: Asker

    init() {
        let base = AnswerTableTests.filter
        let filter = Filter(
            table: base.table, groups: base.groups, clients: [ClientAddress(Self.phone): 0],
            untouched: [Asker.guest])
        asker = Asker(filter)
        asker.responder.apply(HomeNetworks(near: [AddressRange(Self.fresh, length: 24)]))
    }

    /// The kernel has the fresh address in its table.
    private func knows(_ hardware: MACAddress) {
        asker.responder.apply(Neighbours([Self.fresh: hardware]))
    }

    @Test("Whose hardware address is known has that device's rules at any new address")
    func known() {
        knows(Self.phone)
        #expect(asker.ask("video.example", from: Self.fresh)?.answers.map(\.address) == ["192.168.1.2"])
        #expect(asker.responder.collect().clients == [Self.fresh])
    }

    @Test("Whose is not is told once to come over TCP for what is closed to anybody, and is known there")
    func sentBack() throws {
        let reply = try #require(asker.ask("video.example", edns: 1232, from: Self.fresh))
        #expect(reply.isTruncated && reply.answers.isEmpty && reply.opt != nil && reply.rcode == 0)
        knows(Self.phone)
        let over = asker.ask("video.example", from: Self.fresh, isDatagram: false)
        #expect(over?.answers.map(\.address) == ["192.168.1.2"])
        #expect(asker.ask("video.example", from: Self.fresh)?.answers.map(\.address) == ["192.168.1.2"])
    }

    @Test("Until its hardware address is known, what is closed to anybody leads here, and nothing is kept")
    func untilItIsKnown() throws {
        #expect(asker.ask("video.example", 28, from: Self.fresh)?.isTruncated == true)
        for _ in 0..<6 {
            let reply = try #require(asker.ask("cdn.video.example", from: Self.fresh))
            #expect(reply.answers.map(\.address) == ["192.168.1.2"] && reply.answers.map(\.ttl) == [0])
        }
        asker.responder.apply(asker.responder.filter)
        #expect(asker.ask("video.example", from: Self.fresh)?.isTruncated == false, "once, not once a change")
        let query = Message.query("allowed.example")
        asker.arrive(
            Message.response(to: query, [Message.a("198.51.100.7", ttl: 300)]), name: "allowed.example")
        #expect(asker.ask("allowed.example", from: Self.fresh)?.answers.map(\.ttl) == [0])
        knows(MACAddress("02:78:00:00:00:10")!)
        #expect(asker.lookup(Message.query("video.example"), from: Self.fresh) != nil, "a stranger after all")
    }

    @Test(
        "Nobody is sent back for what is open to all, who is known, who is not on this network, and this machine"
    )
    func untouched() {
        #expect(asker.lookup(Message.query("allowed.example"), from: Self.fresh) != nil)
        #expect(asker.lookup(Message.query("video.example"), from: Asker.guest) != nil)
        for address in ["10.9.8.7", "127.0.0.1", "192.168.1.2"] {
            #expect(asker.lookup(Message.query("video.example"), from: ClientAddress(address)!) != nil)
        }
        let nobody = Asker()
        nobody.responder.apply(HomeNetworks(near: [AddressRange(Self.fresh, length: 24)]))
        #expect(nobody.lookup(Message.query("video.example"), from: Self.fresh) != nil, "nobody is enrolled")
    }

    @Test("A new device with a hardware address of its own is as new as before")
    func stranger() {
        knows(MACAddress("02:78:00:00:00:10")!)
        #expect(asker.lookup(Message.query("video.example"), from: Self.fresh) != nil)
    }
}
