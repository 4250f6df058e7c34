import Testing

@testable import DNS

/// The table against a slow and obvious model: compare labels, one set after the other.
@Suite struct NameTableTests {
    private struct Model {
        let sets: [NameSet]
        let suffixes: [(name: String, tag: UInt32)]
        let pages: [(name: String, tag: UInt32)]

        static func isBelow(_ name: String, _ suffix: String) -> Bool {
            name == suffix || name.hasSuffix("." + suffix)
        }

        func contains(_ name: String, set: Int) -> Bool {
            sets[set].exact.contains(name) || sets[set].suffixes.contains { Self.isBelow(name, $0) }
        }

        /// The longest suffix wins; a page host's own name has the tag of its entry.
        func tag(_ name: String) -> UInt32 {
            if let page = pages.first(where: { $0.name == name }) { return page.tag }
            let matching = suffixes.filter { Self.isBelow(name, $0.name) }
            let longest = matching.map(\.name.count).max()
            return matching.first { $0.name.count == longest }?.tag ?? 0
        }

        func isPage(_ name: String) -> Bool { pages.contains { $0.name == name } }
    }

    private static func name(_ random: inout some RandomNumberGenerator) -> String {
        (0..<Int.random(in: 1...4, using: &random))
            .map { _ in
                ["a", "b", "c", "long-label-of-19-byt", "x1234567", "com"].randomElement(using: &random)!
            }
            .joined(separator: ".")
    }

    private static func mixedCase(_ name: String, _ random: inout some RandomNumberGenerator) -> String {
        String(name.map { Bool.random(using: &random) ? Character($0.uppercased()) : $0 })
    }

    @Test(arguments: 0..<60)
    func agreesWithTheModel(seed: UInt64) {
        var random = Seeded(seed)
        func names(_ most: Int) -> [String] {
            (0..<Int.random(in: 0...most, using: &random)).map { _ in Self.name(&random) }
        }
        let setCount = [1, 5, 64, 65, 130].randomElement(using: &random)!
        let model = Model(
            sets: (0..<setCount).map { _ in NameSet(suffixes: names(4), exact: names(3)) },
            suffixes: (1...6).flatMap { tag in names(4).map { ($0, tag) } },
            pages: (1...6).flatMap { tag in names(3).map { ($0, tag) } })
        let counted =
            model.suffixes.map { CountedName(below: $0.name, tag: $0.tag) }
            + model.pages.map { CountedName(page: $0.name, tag: $0.tag) }
        let table = NameTable(sets: model.sets, counted: counted)
        for _ in 0..<200 {
            let name = Self.name(&random)
            guard let match = table.match(Self.mixedCase(name, &random)) else {
                Issue.record("\(name) is a name")
                continue
            }
            for set in 0..<setCount {
                #expect(
                    table.contains(match, set: set) == model.contains(name, set: set), "\(name) in \(set)")
            }
            #expect(match.tag == model.tag(name), "\(name)")
            #expect(match.isPage == model.isPage(name), "\(name)")
        }
    }

    @Test func manyNames() {
        let names = (0..<20_000).map { "host\($0).example\($0 % 700).com" }
        let table = NameTable(sets: [NameSet(suffixes: names)])
        for name in names {
            #expect(table.contains(table.match("sub." + name)!, set: 0))
        }
        #expect(!table.contains(table.match("host20000.example0.com")!, set: 0))
        #expect(!table.contains(table.match("xhost1.example1.com")!, set: 0))
    }

    @Test(arguments: ["", ".", "a..b", ".a", "ä.de", String(repeating: "a", count: 64) + ".de", "a b.de"])
    func refusesWhatIsNoName(text: String) {
        #expect(NameTable(sets: []).match(text) == nil)
        #expect(
            !NameTable(sets: [NameSet(suffixes: [text])]).contains(
                .init(row: 0, tag: 0, isPage: false), set: 0))
    }

    @Test func longestName() {
        let label = String(repeating: "a", count: 63)
        let longest = [label, label, label, String(label.prefix(61))].joined(separator: ".")
        let table = NameTable(sets: [NameSet(exact: [longest])])
        #expect(table.match(longest).map { table.contains($0, set: 0) } == true)
        #expect(table.match(longest + "a") == nil)
    }

    @Test func lowercasesNothingElse() {
        for byte in UInt8.min...UInt8.max {
            let word = UInt64(byte) &* 0x0101_0101_0101_0101
            #expect(word.lowercasedASCII == UInt64(byte.lowercasedASCII) &* 0x0101_0101_0101_0101)
        }
    }
}

/// Repeatable random numbers (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
        return z ^ z >> 31
    }
}
