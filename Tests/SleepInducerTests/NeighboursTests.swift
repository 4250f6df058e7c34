import DNS
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
}
