import Foundation
import Testing

/// The promises of the house that the compiler cannot keep: they are read off the sources (design.md, "The house").
@Suite struct HouseTests {
    /// What each room may import of ours; the map in Docs/developing.md draws the same arrows.
    static let arrows: [String: Set<String>] = [
        "Directory": [], "QR": [], "Policy": ["Directory"], "DNS": ["Directory", "LinuxCalls"],
        "Assets": ["AssetBytes"],
        "AssetBytes": [],
        "LocalNetwork": ["Directory", "LinuxCalls"], "LinuxCalls": [],
        "Outbound": ["Policy"],
        "Store": ["Directory", "Policy"],
        "Enforcement": ["Directory", "Policy", "Store", "DNS", "Shield", "LocalNetwork"],
        "Cluster": ["Directory", "Policy", "Store", "Identity", "LocalNetwork"],
        "Identity": ["Directory", "Policy", "Store"],
        "Moving": ["Directory", "Policy", "Store", "Zlib"], "Zlib": [], "BuildFacts": [],
        "Pages": ["Assets", "Policy"],
        "Shield": ["Directory", "Policy", "LinuxCalls"],
        "Dashboard": ["Directory", "Pages", "Assets", "Store", "Policy", "QR", "Moving", "Zlib"],
        "SleepInducer": [
            "Assets", "Directory", "Policy", "Store", "DNS", "Enforcement", "Pages", "Shield", "Dashboard",
            "LocalNetwork", "Outbound", "Identity", "QR", "Moving", "BuildFacts",
            "Cluster",
        ],
    ]

    @Test func everyRoomStandsOnTheMap() {
        #expect(
            Set(Source.all.map(\.room))
                == Set(Self.arrows.keys).subtracting(["AssetBytes", "LinuxCalls", "Zlib", "BuildFacts"]))
    }

    @Test(arguments: Source.all) func importsFollowTheArrows(_ file: Source) {
        let ours = file.imports.intersection(Self.arrows.keys)
        #expect(ours.isSubset(of: Self.arrows[file.room] ?? []), "\(file.path) imports \(ours.sorted())")
    }

    @Test(arguments: Source.all.filter { $0.room == "Policy" })
    func policyImportsFoundationOnly(_ file: Source) {
        // ZoneOffsets needs a lock for the offsets that it remembers.
        let locks: Set = file.path == "Policy/Time/ZoneOffsets.swift" ? ["Synchronization"] : []
        #expect(file.imports.isSubset(of: locks.union(["Foundation", "Directory"])), "\(file.path)")
    }

    @Test(arguments: Source.all.filter { $0.room == "DNS" })
    func dnsKnowsNoPeopleAppsOrHours(_ file: Source) {
        #expect(!file.imports.contains("Foundation"), "\(file.path): calendars live in Foundation")
        for word in ["Person", "Household", "Session", "Calendar"] {
            #expect(!file.code.contains(word), "\(file.path) speaks of \(word)")
        }
    }

    /// The release has no data of ICU's for languages, orders of words and old encodings (Docs/decisions/one-small-binary.md).
    @Test(arguments: Source.all) func nothingAsksForTheDataOfALanguage(_ file: Source) {
        let askers = [
            "Locale(", "DateFormatter", "NumberFormatter", "MeasurementFormatter", "ListFormatter",
            "DateIntervalFormatter", "dateStyle", "localized", "StringTransform", "applyingTransform",
            ".formatted()", ".formatted(date:", "String.Encoding(", ".abbreviation(",
        ]
        #expect(askers.filter(file.code.contains) == [], "\(file.path)")
    }

    @Test func theClockOfTheMachineIsReadInOneFile() {
        let readers = Source.all.filter { file in
            [
                "Date()", "Date.now", "Calendar.current", "TimeZone.current", "Locale.current",
                ".autoupdatingCurrent",
            ]
            .contains { file.code.contains($0) }
        }
        #expect(readers.map(\.path) == ["SleepInducer/MachineClock.swift"])
    }

    @Test func onlyTheStoreSpeaksSQL() {
        let speakers = Source.all.filter { $0.imports.contains("GRDB") }.map(\.room)
        #expect(Set(speakers) == ["Store"])
    }

    @Test func onlyTheExecutableWiresEnforcementToDashboard() {
        for file in Source.all where file.room == "Dashboard" {
            #expect(!file.imports.contains("Enforcement"), "\(file.path)")
        }
    }

    @Test(arguments: Source.all) func noTypeBearsItsModulesName(_ file: Source) {
        let pattern = #"\b(struct|class|enum|actor|protocol) \#(file.room)\b"#
        #expect(file.code.range(of: pattern, options: .regularExpression) == nil, "\(file.path)")
    }

    @Test func noTwoRoomsHaveATypeOfOneName() {
        var rooms: [Substring: Set<String>] = [:]
        for file in Source.all {
            let declared = file.code.matches(
                of: /(?m)^(?:@?\w+ )*(?:struct|class|enum|actor|protocol|typealias) (\w+)/)
            for declaration in declared { rooms[declaration.1, default: []].insert(file.room) }
        }
        #expect(rooms.filter { $0.value.count > 1 } == [:])
    }

    @Test(arguments: Source.all) func wordsThatSayNothingAreNotNames(_ file: Source) {
        let pattern = #"\b(struct|class|enum|actor|protocol) \w*(Manager|Helper|Util|Utils)\b"#
        #expect(file.code.range(of: pattern, options: .regularExpression) == nil, "\(file.path)")
    }

    @Test(arguments: Source.all) func roomsStaySmall(_ file: Source) {
        #expect(file.lines <= 400, "\(file.path) has \(file.lines) lines")
    }

    /// UR-003, UR-004, SI-014, MF-092, C-07: the top level, the tools' version, and two libraries of the system.
    @Test func topLevelAndPackagesAreAsAsked() throws {
        let root = RequirementsTests.repository
        for name in ["Package.swift", "Sources", "Tests", "Public", "Templates", "README.md"] {
            #expect(FileManager.default.fileExists(atPath: root.appending(path: name).path), "\(name)")
        }
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let tools = try #require(manifest.firstMatch(of: /swift-tools-version: (\d+)\.(\d+)/))
        #expect((Int(tools.1)!, Int(tools.2)!) >= (5, 9))
        let make = try String(contentsOf: root.appending(path: "Makefile"), encoding: .utf8)
        #expect(make.contains("\nSQLITE_AND_ZLIB := libsqlite3-dev zlib1g-dev\n"))
        #expect(make.contains("@Scripts/install-packages $(SQLITE_AND_ZLIB)\n"))
    }
}
