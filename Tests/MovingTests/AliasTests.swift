import Foundation
import Policy
import Testing

@testable import Moving

@Suite("A few lines of YAML that stand for more than any memory holds, and text that only looks like it")
struct AliasTests {
    private static let end = "clients: {}\nschema_version: 34\n"

    /// Each of these is an alias for the parser, in whatever dress.
    @Test(arguments: [
        "dns: &a [x]\nb: [*a, *a]\n", "dns: !!seq &a [x]\nb: *a\n", "dns: &a !!seq [x]\nb: *a\n",
        "dns: {a: &-n [x], b: *-n}\n", "dns:\n- &é [x]\n- *é\n", "? &a x\n: *a\n",
        "dns:\n  &a x: y\n  b: *a\n", "dns: !<tag:yaml.org,2002:seq> &a [x]\nb:\n  - *a\n",
        "%TAG !e! tag:e,2000:\n---\ndns: !e!x &a [x]\nb: *a\n", "dns: &a\n  [x]\nb: [\"*b\", *a]\n",
        "dns: &a ''\n? *a\n: x\n", "dns: *nothing\n",
    ])
    func aliasesAreRefused(_ text: String) {
        let fault = #expect(throws: ForeignFault.self) {
            try ForeignFile.household(Data((text + Self.end).utf8))
        }
        guard case .notYAML(.some) = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
    }

    @Test(arguments: ["&", "!!seq &", "&-", "&_"])
    func nestedAliasesAreRefusedBeforeTheyAreComposed(_ anchor: String) {
        var text = "dns:\n  a: \(anchor)a0 [x,x,x,x,x,x,x,x,x]\n"
        for level in 1..<25 {
            let before = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ",")
            // As a key, it is hashed with all that it stands for.
            text += "  ? \(anchor)a\(level) [\(before)]\n  : x\n"
        }
        #expect(throws: ForeignFault.self) { try ForeignFile.household(Data((text + Self.end).utf8)) }
    }

    /// Signs that look like an alias or an anchor in plain and quoted values, and in comments, are text.
    @Test(arguments: [
        "Mia & Tom", "a&b", "x *y", "a - &b", "'&a'", "\"*a\"", "'- &a: *b'", "a* # &b *c",
        "ads.example^$client=Mia&*",
    ])
    func ampersandsAndAsterisksInValuesAreText(_ value: String) throws {
        let text = """
            dns: {}
            user_rules:
              - \(value)
            clients:
              persistent:
                - name: \(value)
                  ids: ['aa:bb:cc:00:00:09']
            schema_version: 34
            """
        let foreign = try ForeignFile.household(Data(text.utf8))
        #expect(foreign.clients.first?.name.contains { "&*".contains($0) } == true)
        #expect(foreign.leftovers == [.ownRules: 1])
    }

    @Test func hundredsOfThousandsOfKeysAreTooMuch() {
        let keys = (0..<150_000).map { "k\($0): 1" }.joined(separator: "\n")
        #expect(throws: ForeignFault.tooMuch) {
            try ForeignFile.household(Data("dns: {}\n\(keys)\n\(Self.end)".utf8))
        }
    }
}

@Suite struct TOMLArraysTests {
    /// TOML 1.0.0, "String".
    @Test func escapesAreWhatTheyStandFor() {
        let toml = TOMLArrays(
            #"""
            [dns]
              hosts = [ "192.168.1.40\tnas.lan", 'C:\temp', "\u00e9\U0001F600\\\"#]", "a\qb", "\u12" ]
            """#)
        #expect(
            toml["dns", "hosts"] == [
                "192.168.1.40\tnas.lan", #"C:\temp"#, "\u{E9}\u{1F600}\\\"#]", "aqb", "u12",
            ])
    }

    @Test func aTabBetweenAnAddressAndItsNameParts() {
        let toml = TOMLArrays(#"dhcp.x = 1\#n[dns]\#nhosts = ["192.168.1.5\tmias-phone"]"#)
        var client = ForeignClient(name: "", addresses: ["192.168.1.5"])
        PiHoleNames(leases: [], hosts: toml["dns", "hosts"], given: "").complete(&client)
        #expect(client.name == "mias-phone")
    }
}
