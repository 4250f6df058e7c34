import Testing

@testable import QR

/// What surrounds the text, and the order in which the text fills the rest.
struct FrameTests {
    /// Table 1: the codewords fill the free modules up to 7 remainder bits.
    @Test func freeModules() {
        let remainders = Version.all.map { Frame($0).path.count - 8 * $0.codewordCount }
        #expect(remainders == [0, 7, 7, 7, 7, 7, 0, 0, 0, 0])
    }

    /// Annex E.
    @Test func alignmentPatterns() {
        #expect(
            Version.all.map(\.alignmentCentres) == [
                [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46],
                [6, 28, 50],
            ])
        let code = QRCode(modules: Frame(.number(7)).modules.map { $0 ?? false })
        for (column, row) in [(22, 6), (6, 22), (22, 22), (38, 22), (22, 38), (38, 38)] {
            let drawing = (row - 2...row + 2).map { row in
                (column - 2...column + 2).map { code[$0, row] ? "#" : "." }.joined()
            }
            #expect(drawing == ["#####", "#...#", "#.#.#", "#...#", "#####"], "column \(column), row \(row)")
        }
    }

    /// 7.10: both copies have bit 0 at the corner that is nearest to the top left.
    @Test(arguments: 7...10) func versionInformationStandsTwice(number: Int) {
        let frame = Frame(.number(number))
        let edge = frame.modules.size - 11
        var (right, bottom) = (0, 0)
        for bit in 0..<18 {
            if frame.modules[edge + bit % 3, bit / 3] == true { right |= 1 << bit }
            if frame.modules[bit / 3, edge + bit % 3] == true { bottom |= 1 << bit }
        }
        #expect(right == Information.version(number))
        #expect(bottom == Information.version(number))
    }

    /// 7.9: one copy around the corner at the top left, one along the other two corners, bit 0 at the ends.
    @Test(arguments: Mask.allCases) func formatInformationStandsTwice(mask: Mask) {
        let symbol = Frame(.number(2)).symbol([], mask: mask)
        let around =
            [0, 1, 2, 3, 4, 5, 7, 8].map { symbol[8, $0] } + [7, 5, 4, 3, 2, 1, 0].map { symbol[$0, 8] }
        let apart = (0..<8).map { symbol[24 - $0, 8] } + (18..<25).map { symbol[8, $0] }
        let format = (0..<15).map { Information.format(mask) >> $0 & 1 == 1 }
        #expect(around == format)
        #expect(apart == format)
        #expect(symbol[8, 17], "This module is always dark.")
    }

    /// 7.7.3: two columns at a time from the bottom right; the timing pattern's column is skipped.
    @Test func pathOfTheText() {
        let path = Frame(.number(1)).path
        let places = { (pairs: [(Int, Int)]) in pairs.map { Position(column: $0.0, row: $0.1) } }
        #expect(Array(path.prefix(4)) == places([(20, 20), (19, 20), (20, 19), (19, 19)]))
        // Twelve rows up, and down again in the next two columns.
        #expect(Array(path[22..<26]) == places([(20, 9), (19, 9), (18, 9), (17, 9)]))
        #expect(Array(path.suffix(8).prefix(4)) == places([(1, 9), (0, 9), (1, 10), (0, 10)]))
        #expect(path.allSatisfy { $0.column != 6 && $0.row != 6 })
        #expect(Set(path).count == path.count)
    }

    /// Table 10, in the standard's words.
    @Test func masks() {
        let conditions: [(_ i: Int, _ j: Int) -> Bool] = [
            { i, j in (i + j) % 2 == 0 },
            { i, _ in i % 2 == 0 },
            { _, j in j % 3 == 0 },
            { i, j in (i + j) % 3 == 0 },
            { i, j in (i / 2 + j / 3) % 2 == 0 },
            { i, j in (i * j) % 2 + (i * j) % 3 == 0 },
            { i, j in ((i * j) % 2 + (i * j) % 3) % 2 == 0 },
            { i, j in ((i + j) % 2 + (i * j) % 3) % 2 == 0 },
        ]
        for (mask, condition) in zip(Mask.allCases, conditions) {
            for row in 0..<12 {
                for column in 0..<12 {
                    #expect(mask.inverts(Position(column: column, row: row)) == condition(row, column))
                }
            }
        }
    }
}
