import Testing

@testable import QR

/// Whole codes: their versions, masks and limits.
struct QRCodeTests {
    /// Another encoder drew this code (python-qrcode 8, byte mode, level M, mask 5).
    @Test func knownCode() throws {
        let drawing = """
            #######..####.#######
            #.....#.###.#.#.....#
            #.###.#.#####.#.###.#
            #.###.#.###...#.###.#
            #.###.#....##.#.###.#
            #.....#.....#.#.....#
            #######.#.#.#.#######
            ........#..##........
            #.....#.###.###..###.
            ....##.#....###..#...
            #..#.#######.##..#.#.
            .#.#.#...##..#.#.####
            #....###.#...#.#.#..#
            ........##.##.#.##...
            #######...#.#....#.#.
            #.....#....####..##..
            #.###.#.....###.#...#
            #.###.#...#.##..###..
            #.###.#..#...##.#####
            #.....#...........#..
            #######.####...#...#.
            """
        let symbols = try QRCode.symbols(of: "Good night")
        #expect(QRCode(modules: symbols[Mask.crosses.rawValue]).drawing == drawing)
    }

    @Test(arguments: Version.all) func smallestVersionThatFits(version: Version) throws {
        #expect(try QRCode(version.longestAddress).size == version.size)
        #expect(try QRCode(version.longestGreeting).size == version.size)
        guard version.number < 10 else { return }
        #expect(try QRCode(version.longestAddress + "x").size == version.size + 4)
        #expect(try QRCode(version.longestGreeting + "x").size == version.size + 4)
    }

    @Test func sizes() throws {
        #expect(try QRCode("").size == 21)
        #expect(try QRCode(String(repeating: "x", count: 213)).size == 57)
    }

    @Test func longTextIsRefused() {
        #expect(throws: QRCode.TooLong(bytes: 214, limit: 213)) {
            try QRCode(String(repeating: "x", count: 214))
        }
        // Bytes count, not characters: a moon has 4.
        let moons = String(repeating: "🌙", count: 53)
        #expect(throws: Never.self) { try QRCode(moons) }
        let error = #expect(throws: QRCode.TooLong(bytes: 213, limit: 212)) { try QRCode(moons + ".") }
        #expect(error?.description == "The text has 213 bytes. At most 212 fit into a QR code.")
    }

    /// The mask with the fewest points wins, and the first of equals.
    @Test(arguments: Version.all) func bestMask(version: Version) throws {
        for text in [version.longestAddress, version.longestGreeting, String(version.number)] {
            let symbols = try QRCode.symbols(of: text)
            let points = symbols.map(Penalty.points)
            let best = try #require(points.firstIndex(of: points.min()!))
            #expect(try QRCode(text) == QRCode(modules: symbols[best]))
            #expect(Set(symbols).count == 8)
        }
    }

    @Test func everythingOutsideIsLight() throws {
        let code = try QRCode("Good night")
        #expect(code[0, 0])
        for place in -8..<30 {
            for outside in [-8, -1, 21, 29] {
                #expect(!code[place, outside])
                #expect(!code[outside, place])
            }
        }
    }
}
