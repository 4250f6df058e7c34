import Directory
import Dispatch
import Synchronization
import Testing

@testable import LocalNetwork

/// Does work in its order, on one thread at a time.
private struct OneThread {
    private let queue = DispatchQueue(label: "neighbours")

    func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

@Suite struct NeighboursTests {
    private let thread = OneThread()
    private static let address = IPAddress("192.168.1.9")!
    private static let card = MACAddress("02:00:00:00:00:09")!

    @Test("Who waits gets a reading that began after they came, and everybody hears of it before they go on")
    func connects() async {
        let table = Mutex(Neighbours())
        let heard = Mutex<[Neighbours]>([])
        let watch = NeighbourWatch({ table.withLock { $0 } }, execute: thread.async)
        watch.onReading { table in heard.withLock { $0.append(table) } }
        for _ in 0..<50 {
            table.withLock { $0 = Neighbours() }
            await watch.look()
            #expect(watch.newest == Neighbours())
            table.withLock { $0 = Neighbours([Self.address: Self.card]) }
            await watch.look()
            #expect(watch.newest[Self.address] == Self.card)
            #expect(heard.withLock { $0.last } == watch.newest)
        }
    }

    @Test("Many who wait share readings, and all of them go on")
    func many() async {
        let reads = Mutex(0)
        let watch = NeighbourWatch(
            {
                reads.withLock { $0 += 1 }
                return Neighbours()
            }, execute: thread.async)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<500 { group.addTask { await watch.look() } }
        }
        #expect((1...500).contains(reads.withLock { $0 }))
    }

    @Test(
        "A router has the hardware address that was seen first; for IPv6 it counts where there is none for IPv4"
    )
    func routers() {
        let (v4, v6, other) = (IPAddress("192.168.1.1")!, IPAddress("fe80::1")!, IPAddress("fe80::2")!)
        let phone = MACAddress("02:00:00:00:00:0a")!
        let routers = Routers { [v4, other] }
        #expect(routers.addresses(Neighbours([Self.address: phone])) == [])
        #expect(routers.addresses(Neighbours([v4: Self.card, v6: Self.card, other: phone])) == [v4, v6])
        #expect(
            routers.addresses(Neighbours([v4: phone, Self.address: phone])) == [],
            "somebody announces its address")
        #expect(Routers { [other] }.addresses(Neighbours([other: phone])) == [other])
    }
}
