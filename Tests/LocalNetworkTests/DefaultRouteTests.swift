import LocalNetwork
import Testing

@Suite struct DefaultRouteTests {
    @Test func lowestMetricWins() {
        let table = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            wlan0\t00000000\t01B2A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
            eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
            eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
            """
        #expect(DefaultRoute.fourth(table) == DefaultRoute(interface: "eth0", gateway: "192.168.1.1"))
    }

    @Test func pointToPointHasNoGateway() {
        let table = "Iface\nppp0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0"
        #expect(DefaultRoute.fourth(table) == DefaultRoute(interface: "ppp0", gateway: nil))
    }

    @Test func rejectRouteOnLoopbackIsNone() {
        let zero = String(repeating: "0", count: 32)
        let reject = "\(zero) 00 \(zero) 00 \(zero) ffffffff 00000001 00000000 00200200       lo"
        #expect(DefaultRoute.sixth(reject) == nil)
        let router = "fe80000000000000000000000000000a"
        let real = "\(zero) 00 \(zero) 00 \(router) 00000400 00000001 00000000 00000003     eth0"
        #expect(
            DefaultRoute.sixth(reject + "\n" + real) == DefaultRoute(interface: "eth0", gateway: "fe80::a"))
    }

    @Test(arguments: ["", "\n", "Iface\nbroken", "x y z\n1 2 3 4 5 6 7 8 9 10 11"])
    func nonsenseIsNoRoute(table: String) {
        #expect(DefaultRoute.fourth(table) == nil)
        #expect(DefaultRoute.sixth(table) == nil)
    }
}
