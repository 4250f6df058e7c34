import Foundation
import Policy
import Testing

@testable import Moving

/// AdGuard Home's YAML, as its schemas 20 to 34 write it, and files that are none.
@Suite struct ForeignFileTests {
    private static let yaml = """
        http:
          address: 0.0.0.0:3000
        dns:
          upstream_dns:
            - https://dns.example/dns-query
        tls:
          enabled: false
        filters:
          - enabled: true
            url: https://lists.example/one.txt
            name: One
            id: 1
          - enabled: false
            url: https://lists.example/two.txt
        user_rules:
          - '||ads.example^$client=''Mia & Tom'''
        dhcp:
          enabled: true
        filtering:
          blocked_services:
            schedule:
              time_zone: Local
              sun:
                start: 8h
                end: 24h
            ids:
              - twitter
          rewrites: []
        clients:
          runtime_sources:
            arp: true
          persistent:
            - safe_search:
                enabled: true
              blocked_services:
                schedule:
                  time_zone: Europe/Berlin
                  mon:
                    start: 15h30m
                    end: 17h
                  tue:
                    start: 0s
                    end: 0s
                ids:
                  - tiktok
                  - youtube
              name: Mia’s phone
              ids:
                - AA-BB-CC-00-00-01
                - 192.168.1.20
                - 192.168.1.0/24
                - mias-phone
              tags:
                - device_phone
                - user_child
              use_global_blocked_services: false
            - name: TV
              ids: [192.168.1.30]
              tags: [device_tv]
              use_global_blocked_services: true
        schema_version: 34
        """

    @Test func clientsServicesAndPausesAreRead() throws {
        let foreign = try ForeignFile.household(Data(Self.yaml.utf8))
        #expect(foreign.source == .adGuardHome)
        let mia = foreign.clients[0]
        #expect(mia.name == "Mia’s phone" && mia.isChild && mia.kind == .phone)
        #expect(mia.hardware == ["aa:bb:cc:00:00:01"] && mia.addresses == ["192.168.1.20"])
        #expect(mia.otherIDs == ["192.168.1.0/24", "mias-phone"])
        #expect(mia.rules.services == ["tiktok", "youtube"] && mia.rules.zone == "Europe/Berlin")
        #expect(mia.rules.pauses == [ForeignRules.Pause(day: .mon, start: 930, end: 1_020)])
        let tv = foreign.clients[1]
        #expect(tv.addresses == ["192.168.1.30"] && tv.kind == .television)
        #expect(tv.rules.services == ["twitter"] && tv.rules.areOfTheHouse && tv.rules.zone == nil)
        #expect(tv.rules.pauses == [ForeignRules.Pause(day: .sun, start: 480, end: 1_440)])
        #expect(
            foreign.leftovers == [.blockLists: 1, .ownRules: 1, .safeSearch: 1, .upstreams: 1, .dhcp: 1])
        #expect(foreign.unplaced.filter { !$0.items.isEmpty } == [.init(.house, ["twitter"])])
    }

    @Test func whatAdGuardHomeRefusesIsSaid() throws {
        let text = """
            dns:
              blocked_hosts: [version.bind, id.server, hostname.bind, tiktok.com]
              disallowed_clients: [192.168.1.77, mias-phone]
              allowed_clients: [192.168.1.0/24]
              safesearch_enabled: true
            clients:
              persistent:
                - {name: Mia, ids: ['aa:bb:cc:00:00:09'], upstreams: ['https://family.example/dns-query']}
            schema_version: 34
            """
        let foreign = try ForeignFile.household(Data(text.utf8))
        #expect(
            foreign.unplaced == [
                .init(.house, ["tiktok.com"]), .init(.refused, ["192.168.1.77", "mias-phone"]),
                .init(.only, ["192.168.1.0/24"]),
            ])
        #expect(foreign.leftovers == [.safeSearch: 1, .clientUpstreams: 1])
    }

    /// Before schema 21 and 22, blocked services were a plain list.
    @Test func olderSchemasAreRead() throws {
        let text = """
            dns:
              blocked_services: [tiktok]
            clients:
              persistent:
                - {name: Old, ids: ['aa:bb:cc:00:00:09'], blocked_services: [youtube], use_global_blocked_services: false}
                - {name: Global, ids: ['aa:bb:cc:00:00:0a'], use_global_blocked_services: true}
            schema_version: 20
            """
        let clients = try ForeignFile.household(Data(text.utf8)).clients
        #expect(clients.map(\.rules.services) == [["youtube"], ["tiktok"]])
    }

    @Test func aCopyThatWentThroughWindowsIsTheSame() throws {
        let copy = "\u{FEFF}" + Self.yaml.replacing("\n", with: "\r\n")
        #expect(
            try ForeignFile.household(Data(copy.utf8)) == ForeignFile.household(Data(Self.yaml.utf8)))
    }

    @Test(arguments: [
        ("24h", 1_440), ("7h30m", 450), ("1h0m0s", 60), ("0s", 0), ("90m", 90),
    ])
    func durations(_ text: String, minutes: Int) { #expect(GoDuration.minutes(text) == minutes) }

    @Test(arguments: ["", "h", "25h", "30s", "-1h", "1d", "7:30", "999999h"])
    func noDurations(_ text: String) { #expect(GoDuration.minutes(text) == nil) }

    private static let bad: [(String, Data, ForeignFault)] = [
        ("empty", Data(), .empty),
        ("a picture", Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0]), .unknown),
        ("a text", Data("Dear Mia, this is a letter.".utf8), .unknown),
        ("another YAML", Data("services:\n  web:\n    image: nginx\n".utf8), .notAdGuardHome),
        ("a list", Data("- one\n- two\n".utf8), .unknown),
        ("cut off at a line's end", Data("dns: {}\nclients:\n  persistent:\n".utf8), .notYAML(line: nil)),
        ("broken", Data("dns:\n  a: [1, 2\nclients: {\n".utf8), .notYAML(line: 3)),
        ("cut off in quotes", Data("dns:\n  a: 'x\n".utf8), .notYAML(line: 3)),
        ("an archive of Pi-hole 5", Data([0x1F, 0x8B, 8, 0]), .olderPiHole),
        ("a database", Data("SQLite format 3\0".utf8), .databaseAlone),
        ("aliases", Data("dns: &a [x]\nclients: [*a, *a]\n".utf8), .notYAML(line: 2)),
        ("too large", Data(repeating: 0x20, count: ForeignFile.maximum + 1), .tooLarge),
        ("an empty archive", Data([0x50, 0x4B, 3, 4]), .brokenArchive),
    ]

    @Test(arguments: bad.indices) func badFilesAreNamed(_ index: Int) {
        let (name, file, fault) = Self.bad[index]
        #expect(throws: fault, "\(name)") { try ForeignFile.household(file) }
    }

    /// The parser stops at a depth, so that brackets do not take all of the stack.
    @Test func deepNestingIsRefused() {
        for text in [String(repeating: "[", count: 200_000), String(repeating: "- ", count: 200_000)] {
            #expect(throws: ForeignFault.self) { try ForeignFile.household(Data("dns: 1\nx: \(text)".utf8)) }
            #expect(throws: ForeignFault.self) { try ForeignFile.household(Data("x:\n\(text)".utf8)) }
        }
    }

    @Test func clientsBeyondTheBoundAreCounted() throws {
        let clients = (0..<510).map { "    - {name: c\($0), ids: [10.0.\($0 / 250).\($0 % 250 + 1)]}" }
        let text =
            "dns: {}\nclients:\n  persistent:\n" + clients.joined(separator: "\n") + "\nschema_version: 29\n"
        let foreign = try ForeignFile.household(Data(text.utf8))
        #expect(foreign.clients.count == 500 && foreign.leftovers == [.furtherClients: 10])
    }

    @Test func everyFaultSaysWhatToDo() {
        for (_, _, fault) in Self.bad { #expect(fault.description.hasSuffix(".")) }
    }
}
