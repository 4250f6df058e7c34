import Testing

@testable import QR

/// The four rules that choose the mask (7.8.3.1).
struct PenaltyTests {
    @Test(arguments: [
        ("####", 0), ("#####", 3), (".....", 3), ("######", 4), ("#######.", 5), ("#####.....", 6),
        ("#.#.#.#.#", 0), (".####.#####", 3),
    ])
    func runs(line: String, points: Int) {
        #expect(Penalty.runs(modules(line)) == points)
    }

    @Test(arguments: [
        (["##", "##"], 3), (["..", ".."], 3), (["##", "#."], 0), (["###", "###", "###"], 12),
        (["##..", "##.."], 6), (["#.#", ".#.", "#.#"], 0),
    ])
    func blocks(rows: [String], points: Int) {
        #expect(Penalty.blocks(rows.map(modules)) == points)
    }

    @Test(arguments: [
        // Light modules behind it, before it, on both sides, and on neither side.
        ("##.#.###.#....##", 40), ("##....#.###.#.##", 40), ("#....#.###.#....#", 40),
        ("##...#.###.#...##", 0),
        // The quiet zone is light.
        ("#.###.#.##", 40), ("##.#.###.#", 40), ("#.###.#", 40),
        // Two that share their light modules.
        ("##.#.###.#....#.###.#.##", 80),
        ("#.###.", 0), ("", 0),
    ])
    func falseFinders(line: String, points: Int) {
        #expect(Penalty.falseFinders(modules(line)) == points)
    }

    @Test(arguments: [
        (50, 0), (54, 0), (55, 10), (46, 0), (45, 10), (59, 10), (60, 20), (0, 100), (100, 100),
    ])
    func imbalance(percent: Int, points: Int) {
        let cells = (0..<100).map { $0 < percent }
        let rows = stride(from: 0, to: 100, by: 10).map { Array(cells[$0..<$0 + 10]) }
        #expect(Penalty.imbalance(rows) == points)
    }

    /// A light square of 7: 14 lines with 5 points each, 36 blocks, and 50 % too few dark modules.
    @Test func rulesAddUp() {
        #expect(Penalty.points(of: Square(size: 7, of: false)) == 14 * 5 + 36 * 3 + 100)
        // The cut through a finder pattern in the middle row; columns have none.
        var cut = Square(size: 7, of: false)
        for column in [0, 2, 3, 4, 6] { cut[column, 3] = true }
        #expect(Penalty.falseFinders((0..<7).map { cut[$0, 3] }) == 40)
        #expect(Penalty.points(of: cut) == 6 * 5 + 2 * 5 + 24 * 3 + 70 + 40)
    }

    private func modules(_ line: String) -> [Bool] { line.map { $0 == "#" } }
}
