import NIOCore
import Testing

@testable import SleepInducer

/// A router is no new device to be held by a rule (design.md, "Device"); whoever plays one for a moment is.
@Suite struct RouterWatchTests {
    private let watch = RouterWatch()
    private let router = "02:00:00:00:00:01"
    private let phone = "02:00:00:00:00:02"

    private func look(
        _ minutes: Int64, routers: [String] = ["192.168.1.1"], _ hardware: [String: String]
    ) -> Set<String> {
        watch.addresses(
            routers: routers, hardware: hardware,
            at: .uptimeNanoseconds(1_000_000_000_000) + .minutes(minutes))
    }

    @Test(
        "It has every address of the hardware address that the way out had at first, or has had for ten minutes"
    )
    func settles() {
        let table = ["192.168.1.1": router, "fe80::1": router, "192.168.1.9": phone]
        #expect(look(0, ["192.168.1.9": phone]) == [])
        #expect(look(1, table) == ["192.168.1.1", "fe80::1"])
        #expect(look(60, ["fe80::1": router]) == ["fe80::1"], "not spoken with for a while")
        let other = ["192.168.2.1": "02:00:00:00:00:03", "192.168.1.9": phone]
        #expect(look(61, routers: ["192.168.2.1"], other) == [])
        #expect(look(70, routers: ["192.168.2.1"], other) == [])
        #expect(look(71, routers: ["192.168.2.1"], other) == ["192.168.2.1"])
    }

    @Test("Whoever announces the router's address for a moment is none, and the router is one again later")
    func announced() {
        let (right, forged) = (
            ["192.168.1.1": router, "192.168.1.9": phone], ["192.168.1.1": phone, "192.168.1.9": phone]
        )
        _ = look(0, right)
        #expect(look(20, forged) == [])
        #expect(look(21, right) == [])
        #expect(look(30, forged) == [], "nor by many moments")
        #expect(look(31, right) == [])
        #expect(look(41, right) == ["192.168.1.1"])
    }

    @Test("Whoever announces a way out for IPv6 is none where there is one for IPv4")
    func advertised() {
        let table = ["192.168.1.1": router, "fe80::2": phone, "192.168.1.9": phone]
        for minute in stride(from: Int64(0), through: 60, by: 5) {
            #expect(!look(minute, routers: ["192.168.1.1", "fe80::2"], table).contains("192.168.1.9"))
        }
        let only = ["fe80::1": router]
        #expect(look(100, routers: ["fe80::1"], only) == [])
        #expect(look(110, routers: ["fe80::1"], only) == ["fe80::1"])
    }
}
