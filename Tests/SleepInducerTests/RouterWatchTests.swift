import NIOCore
import Synchronization
import Testing

@testable import SleepInducer

/// A router is no new device to be held by a rule (design.md, "Device"); whoever plays one for a moment is.
@Suite struct RouterWatchTests {
    private let router = "02:00:00:00:00:01"
    private let phone = "02:00:00:00:00:02"
    private let watch: RouterWatch

    /// The network as it is changes in a box that both know.
    private final class Network: Sendable {
        let look = Mutex(RouterWatch.Look(routers: ["192.168.1.1"], hardware: [:]))
    }
    private let network = Network()

    init() {
        watch = RouterWatch { [network] in network.look.withLock { $0 } }
    }

    /// Looks every second from a minute to another, and tells what is believed at the end.
    @discardableResult
    private func wait(
        _ minutes: ClosedRange<Double>, routers: [String] = ["192.168.1.1"], _ hardware: [String: String]
    ) -> Set<String> {
        network.look.withLock { $0 = RouterWatch.Look(routers: routers, hardware: hardware) }
        var last: Set<String> = []
        for second in Int64(minutes.lowerBound * 60)...Int64(minutes.upperBound * 60) {
            last = watch.addresses(at: .uptimeNanoseconds(1_000_000_000) + .seconds(second))
        }
        return last
    }

    private var home: [String: String] {
        ["192.168.1.1": router, "fe80::1": router, "192.168.1.9": phone]
    }

    @Test("It has every address of the hardware address that the way out had in the first minute")
    func atFirst() {
        #expect(wait(0...0.5, ["192.168.1.9": phone]) == [])
        #expect(wait(0.6...0.6, home) == ["192.168.1.1", "fe80::1"])
        #expect(wait(1...60, ["fe80::1": router]) == ["fe80::1"], "not spoken with for a while")
    }

    @Test("Another way out is one after ten minutes")
    func settles() {
        wait(0...5, home)
        let other = ["192.168.2.1": "02:00:00:00:00:03", "192.168.1.9": phone]
        #expect(wait(5.1...15, routers: ["192.168.2.1"], other) == [])
        #expect(wait(15.1...15.4, routers: ["192.168.2.1"], other) == ["192.168.2.1"])
    }

    @Test("Whoever announces the router's address for a moment is none, and the router is one again later")
    func announced() {
        let forged = ["192.168.1.1": phone, "192.168.1.9": phone]
        #expect(wait(0...20, home) == ["192.168.1.1", "fe80::1"])
        #expect(wait(20.1...25, forged) == [])
        #expect(wait(25.1...26, home) == [])
        #expect(wait(26.1...33, forged) == [], "nor by many moments")
        #expect(wait(33.1...43, home) == [])
        #expect(wait(43.1...44, home) == ["192.168.1.1", "fe80::1"])
    }

    @Test("Whoever announces a way out for IPv6 is none where there is one for IPv4")
    func advertised() {
        let table = ["192.168.1.1": router, "fe80::2": phone, "192.168.1.9": phone]
        wait(0...2, home)
        #expect(wait(2.1...60, routers: ["192.168.1.1", "fe80::2"], table) == ["192.168.1.1"])
    }
}
