import Foundation
import Testing

@testable import LocalNetwork

/// Device names from DHCP servers' lease files and the hosts file.
@Suite struct HostNamesTests {
    private static let (mac, ip) = ("3c:22:fb:00:00:01", "192.168.1.20")

    struct Case: Sendable {
        let what: String
        let text: String
        var hardware: [String: String] = [:]
        var address: [String: String] = [:]
    }

    static let dnsmasq: [Case] = [
        Case(
            what: "a lease",
            text: "1795262400 3C:22:FB:00:00:01 192.168.1.20 Adas-iPhone 01:3c:22:fb:00:00:01\n",
            hardware: [mac: "Adas-iPhone"], address: [ip: "Adas-iPhone"]),
        Case(what: "no name", text: "1795262400 \(mac) \(ip) * *\n"),
        Case(
            what: "DHCPv6",
            text: "duid 00:01:00:01\n0 123456 fd00::0020 tv 00:01:00:01\n0 T99 fd00::21 pad 00",
            address: ["fd00::20": "tv", "fd00::21": "pad"]),
        Case(
            what: "no Ethernet", text: "0 06-3c:22:fb:00:00:01 \(ip) tv *\n", address: [ip: "tv"]),
        Case(
            what: "a later one counts", text: "1 \(mac) \(ip) old *\n2 \(mac) \(ip) new *\r\n",
            hardware: [mac: "new"], address: [ip: "new"]),
        Case(
            what: "a name that went", text: "1 \(mac) \(ip) old *\n2 3c:22:fb:00:00:02 \(ip) * *\n",
            hardware: [mac: "old"]),
        Case(
            what: "hostile",
            text: "1 \(mac) \(ip)\n-1 \(mac) \(ip) x *\nx y z w\n1 \(mac) nonsense x *\n\0\u{FFFD}",
            hardware: [mac: "x"]),
        Case(what: "loopback is nobody's", text: "1 x 127.0.0.1 evil *\n1 00:00:00:00:00:00 ::1 evil *"),
        Case(what: "signs are no hexadecimals", text: "1 +c:22:fb:00:00:01 \(ip) tv *", address: [ip: "tv"]),
    ]

    static let isc: [Case] = [
        Case(
            what: "a lease",
            text: """
                # written by isc-dhcp
                lease 192.168.1.20 {
                  starts 4 2026/11/19 10:00:00;
                  binding state active;
                  next binding state free;
                  hardware ethernet 3c:22:fb:00:00:01;
                  uid "\\001<\\"\\373";
                  client-hostname "K\\303\\274che \\"1\\" \\\\";
                }
                """, hardware: [mac: "Küche \"1\" \\"], address: [ip: "Küche \"1\" \\"]),
        Case(
            what: "let go later",
            text:
                "lease \(ip) {\n binding state active;\n hardware ethernet \(mac);\n client-hostname \"a\";\n}\nlease \(ip) {\n binding state free;\n hardware ethernet \(mac);\n client-hostname \"b\";\n}",
            hardware: [mac: "a"]),
        Case(what: "cut off", text: "lease \(ip) {\n client-hostname \"a\";\n"),
        Case(
            what: "a quote without end",
            text: "lease \(ip) {\n client-hostname \"a;\n}\nlease {\n}\n}\nhardware\nbinding"),
        Case(
            what: "an octal that is none", text: "lease \(ip) {\n client-hostname \"\\999\\40\\777x\";\n}",
            address: [ip: "99940777x"]),
    ]

    static let kea: [Case] = [
        Case(
            what: "a lease of version 4",
            text: """
                address,hwaddr,client_id,valid_lifetime,expire,subnet_id,fqdn_fwd,fqdn_rev,hostname,state,user_context,pool_id
                192.168.1.20,3c:22:fb:00:00:01,01:3c,3600,1795262400,1,0,0,adas-iphone.lan,0,,0
                192.168.1.21,3c:22:fb:00:00:02,,3600,1795262400,1,0,0,,0,,0
                192.168.1.22,3c:22:fb:00:00:03,,3600,1795262400,1,0,0,declined,1,,0
                """, hardware: [mac: "adas-iphone.lan"], address: [ip: "adas-iphone.lan"]),
        Case(
            what: "let go",
            text: "address,hwaddr,valid_lifetime,hostname,state\n\(ip),\(mac),3600,tv,0\n\(ip),\(mac),0,tv,0",
            hardware: [mac: "tv"]),
        Case(
            what: "version 6 has other columns",
            text: "address,duid,valid_lifetime,hostname,hwaddr,state\nfd00::0020,00:01,3600,tv,\(mac),0\n",
            hardware: [mac: "tv"], address: ["fd00::20": "tv"]),
        Case(
            what: "short lines", text: "address,hostname,hwaddr\n\(ip)\n\n,,\n\(ip),tv", address: [ip: "tv"]),
        Case(what: "no such columns", text: "a,b,c\n\(ip),tv,\(mac)"), Case(what: "empty", text: ""),
    ]

    static let hosts: [Case] = [
        Case(
            what: "as it is on Debian",
            text:
                "127.0.0.1\tlocalhost\n127.0.1.1 pi.lan pi\n::1 localhost ip6-localhost\n# 10.0.0.1 no\n\(ip)  tv.lan tv # here\n",
            address: [ip: "tv.lan"]),
        Case(what: "hostile", text: "\(ip)\nnonsense tv\n256.1.1.1 x\n  \n#"),
    ]

    @Test(arguments: dnsmasq) func readsDnsmasq(_ one: Case) { check(one) { $0.readDnsmasq($1) } }
    @Test(arguments: isc) func readsISC(_ one: Case) { check(one) { $0.readISC($1) } }
    @Test(arguments: kea) func readsKea(_ one: Case) { check(one) { $0.readKea($1) } }
    @Test(arguments: hosts) func readsHosts(_ one: Case) { check(one) { $0.readHosts($1) } }

    private func check(_ one: Case, _ read: (inout HostNames, String) -> Void) {
        var names = HostNames()
        read(&names, one.text)
        #expect(names == HostNames(byAddress: one.address, byHardware: one.hardware), "\(one.what)")
    }

    @Test("No file makes it trap or grow without end")
    func anything() {
        var seed = UInt64(7)
        for _ in 0..<300 {
            var text = "address,hwaddr,hostname\n"
            for _ in 0..<60 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1
                let words = [
                    "lease", "{", "}", "\"", "\\", "\\1", "1", "client-hostname", "hardware", ",", "\n", " ",
                    "::", "10.0.0.1", "\0", "ä",
                ]
                text += words[Int(seed >> 33) % words.count]
            }
            var names = HostNames()
            names.readDnsmasq(text)
            names.readISC(text)
            names.readKea(text)
            names.readHosts(text)
        }
        var names = HostNames()
        names.readHosts(
            (0..<30_000).map { "10.0.\($0 / 250).\($0 % 250 + 1) h\($0)" }.joined(separator: "\n"))
        #expect(names.byAddress.count == HostNames.limit)
    }

    @Test func theHardwareAddressCountsMost() {
        let names = HostNames(byAddress: ["10.0.0.1": "a", "fd00::1": "b"], byHardware: [Self.mac: "c"])
        #expect(names.name(hardware: Self.mac, addresses: ["10.0.0.1"]) == "c")
        #expect(names.name(hardware: "x", addresses: ["fd00::9", "fd00::1", "10.0.0.1"]) == "b")
        #expect(names.name(hardware: nil, addresses: []) == nil)
        // This machine's own files, whatever they contain.
        _ = HostNames.current()
    }
}
