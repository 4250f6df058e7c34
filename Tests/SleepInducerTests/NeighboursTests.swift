import DNS
import Policy
import Synchronization
import Testing

@testable import SleepInducer

@Suite struct NeighboursTests {
    @Test("Who connects is looked up anew, also right after a look in vain")
    func connects() throws {
        let table = Mutex<[String: String]>([:])
        let address = try #require(ClientAddress("192.168.1.9"))
        for round in 0..<20 {
            let neighbours = Neighbours { table.withLock { $0 } }
            table.withLock { $0 = [:] }
            #expect(neighbours.hardware(of: address, anew: false) == nil)
            table.withLock { $0 = ["192.168.1.9": "02:00:00:00:00:09"] }
            #expect(neighbours.hardware(of: address, anew: true) != nil, "round \(round)")
            #expect(neighbours.hardware(withConnected: "192.168.1.9").count == 1)
        }
    }

    @Test(
        "A device is one holder with all its addresses; without a hardware address, by its address or its /64"
    )
    func holders() {
        let card = "02:00:00:00:00:09"
        let neighbours = Neighbours { ["192.168.1.9": card, "192.168.1.10": card, "2001:db8::9": card] }
        for address in ["192.168.1.9", "192.168.1.10", "2001:db8::9"] {
            #expect(neighbours.holder(ofConnected: address) == Holder(card))
        }
        #expect(neighbours.holder(ofConnected: "192.168.1.11") == Holder("192.168.1.11"))
        #expect(
            neighbours.holder(ofConnected: "2001:db8::1") == neighbours.holder(ofConnected: "2001:db8::2"))
        #expect(
            neighbours.holder(ofConnected: "2001:db8::1") != neighbours.holder(ofConnected: "2001:db8:0:1::1")
        )
    }
}
