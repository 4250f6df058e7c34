import Foundation
import Testing

@testable import LocalNetwork

/// The commands for nft, and what is read back from it.
@Suite struct GatewayRulesTests {
    static let rules = GatewayRules(
        interfaces: ["lan1", "lan0"], desk: .init(v4: "192.168.1.1", v6: "fd00::1", port: 53),
        encryptedResolvers: ["8.8.8.8", "45.90.28.0/24", "2001:4860:4860::8888"],
        groups: [
            .init(
                hardware: ["02:00:00:00:00:02"], addresses: ["192.168.1.20", "fd00::20", "fe80::20"],
                rejected: ["203.0.113.9": "video.example", "2001:db8::9": "video.example"]),
            .init(
                hardware: [], sharedHardware: ["02:00:00:00:00:03"], addresses: ["192.168.1.21"],
                rejected: [:]),
        ])

    /// One command on each line. After an intended change: `UPDATE_GOLDEN=1 swift test --filter GatewayRulesTests`.
    @Test func theTableIsAsItWas() throws {
        let text = Self.lines(Self.rules)
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/gateway.txt")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil { try Data(text.utf8).write(to: file) }
        #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    private static func lines(_ rules: GatewayRules) -> String {
        String(decoding: rules.table.json, as: UTF8.self)
            .replacing("},{\"add\"", with: "},\n{\"add\"").replacing("},{\"delete\"", with: "},\n{\"delete\"")
            .appending("\n")
    }

    @Test func itIsOneTransactionThatBeginsWithAnEmptyTable() {
        let verbs = Self.lines(Self.rules).split(separator: "\n").map { $0.contains("\"delete\"") }
        #expect(Array(verbs.prefix(4)) == [false, true, false, false])
        #expect(verbs.count(where: { $0 }) == 1)
        #expect(
            String(decoding: RuleTable.removal(of: "sleep_inducer"), as: UTF8.self)
                == #"{"nftables":[{"add":{"table":{"family":"inet","name":"sleep_inducer"}}},"#
                + #"{"delete":{"table":{"family":"inet","name":"sleep_inducer"}}}]}"#)
    }

    @Test("A family in which we have no address is not redirected, but still refused")
    func noDesk() {
        var rules = Self.rules
        rules.desk.v6 = nil
        let text = Self.lines(rules)
        #expect(!text.contains("\"family\":\"ip6\"") && text.contains(#""addr":"192.168.1.1""#))
        #expect(text.contains(#"{"set":[53,853]}"#))
    }

    @Test("With another port, questions to this machine are redirected there too")
    func anotherPort() {
        var rules = Self.rules
        #expect(Self.lines(rules).contains("\"fib\""))
        rules.desk.port = 5300
        #expect(!Self.lines(rules).contains("\"fib\"") && Self.lines(rules).contains("\"port\":5300"))
    }

    @Test(
        "An invalid address costs only itself, not the table",
        arguments: ["nonsense", "1.2.3", "fe80::1%eth0", "1.2.3.4/33", "1.2.3.4/0", "1.2.3.4/8/8", "", "/"])
    func noAddress(_ text: String) {
        var rules = Self.rules
        rules.encryptedResolvers.insert(text)
        rules.groups[0].addresses.insert(text)
        rules.groups[0].hardware.insert(text)
        rules.groups[0].hardware.formUnion(["02:00:00:00:00", "02:00:00:00:00:0g", "2:0:0:0:0:0"])
        if text.contains("/") == false { rules.groups[0].rejected[text] = "a.example" }
        #expect(Self.lines(rules) == Self.lines(Self.rules))
    }

    @Test("A comment has room for 127 bytes: a longer name loses labels at its front")
    func longNames() {
        var rules = Self.rules
        let label = String(repeating: "a", count: 60)
        rules.groups[0].rejected["203.0.113.9"] = "\(label).\(label).\(label).example"
        #expect(Self.lines(rules).contains("\"comment\":\"\(label).example\""))
        let fitting = "\(label.dropLast()).\(label.dropLast()).example"
        rules.groups[0].rejected["203.0.113.9"] = fitting
        #expect(fitting.utf8.count == 127 && Self.lines(rules).contains("\"comment\":\"\(fitting)\""))
        rules.groups[0].rejected["203.0.113.9"] = "a\(fitting)"
        #expect(Self.lines(rules).contains("\"comment\":\"\(label.dropLast()).example\""))
    }

    @Test("Read back: elements with names, of our sets only")
    func listing() {
        let text = """
            {"nftables": [{"metainfo": {"version": "1.0.6"}},
            {"table": {"family": "inet", "name": "sleep_inducer", "handle": 2}},
            {"table": {"family": "ip", "name": "other", "handle": 3}},
            {"set": {"family": "inet", "name": "members_0_v4", "elem": ["10.0.0.1", {"prefix": {"addr": "1.0.0.0", "len": 8}}]}},
            {"set": {"family": "inet", "name": "rejected_0_v4", "elem": [
                {"elem": {"val": "203.0.113.9", "comment": "video.example"}}, "203.0.113.10", 7,
                {"elem": {"val": "203.0.113.11"}}, {"elem": {"val": {"prefix": {"addr": "1.0.0.0", "len": 8}}, "comment": "x"}}]}},
            {"set": {"family": "inet", "name": "rejected_1_v6", "elem": [{"elem": {"val": "2001:db8::9", "comment": "a.example"}}]}},
            {"set": {"family": "inet", "name": "rejected_2_v6"}}, {"chain": {"name": "ask"}}, {},
            {"flowtable": {"family": "inet", "name": "fast", "table": "fw4", "dev": ["eth0"]}}]}
            """
        let listing = RuleListing(json: [UInt8](text.utf8))
        #expect(listing.tables == ["sleep_inducer"] && listing.flowTables == ["fast"])
        #expect(listing.rejected == ["203.0.113.9": "video.example", "2001:db8::9": "a.example"])
        #expect(RuleListing(json: []).rejected.isEmpty && RuleListing(json: [0xff]).tables.isEmpty)
    }

    @Test func interfacesThatAreNotThere() {
        #expect(PacketFilter.missing(["lo"]) == nil)
        #expect(PacketFilter.missing(["lo", "nope0"]) == "There is no interface nope0 on this machine.")
    }
}

/// Starting programs.
@Suite struct ToolRunTests {
    @Test func standardInputComesOutAgain() throws {
        let input = [UInt8](repeating: 7, count: 3 << 20)
        #expect(try ToolRun.output(of: "/usr/bin/cat", [], input: input) == input)
    }

    @Test func nothingIsInheritedButTheThreeFiles() throws {
        let files = String(
            decoding: try ToolRun.output(of: "/usr/bin/ls", ["/proc/self/fd"]), as: UTF8.self)
        #expect(files.split(separator: "\n").count == 4, "three, and the folder that is read")
        #expect(try ToolRun.output(of: "/usr/bin/env", []).isEmpty)
    }

    @Test func failuresAreSaidInALine() {
        #expect(throws: ToolRun.Failure.notStarted("/nowhere", code: 2)) {
            try ToolRun.output(of: "/nowhere", [])
        }
        #expect("\(ToolRun.Failure.notStarted("/nowhere", code: 2))" == "/nowhere is missing.")
        let failure = #expect(throws: ToolRun.Failure.self) {
            try ToolRun.output(of: "/usr/bin/ls", ["/nowhere"])
        }
        #expect(failure.map { "\($0)".contains("/nowhere") && !"\($0)".contains("\n") } == true)
        #expect(throws: ToolRun.Failure.self) { try ToolRun.output(of: "/usr/bin/false", []) }
    }
}
