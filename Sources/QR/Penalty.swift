/// How hard a code is to read, by the four rules of 7.8.3.1 (table 11). A line is a row or a column of
/// modules without the quiet zone; dark modules are true.
enum Penalty {
    /// The points of all rules together. Fewer are better.
    static func points(of symbol: Square<Bool>) -> Int {
        let inside = 0..<symbol.size
        let rows = inside.map { row in inside.map { symbol[$0, row] } }
        let columns = inside.map { column in inside.map { symbol[column, $0] } }
        let alongLines = (rows + columns).map { runs($0) + falseFinders($0) }
        return alongLines.reduce(0, +) + blocks(rows) + imbalance(rows)
    }

    /// Rule 1: five neighbours of one colour in a line cost 3 points, and each further one costs 1.
    static func runs(_ line: [Bool]) -> Int {
        var (points, length) = (0, 0)
        for index in line.indices {
            length = index > 0 && line[index] == line[index - 1] ? length + 1 : 1
            if length == 5 { points += 3 } else if length > 5 { points += 1 }
        }
        return points
    }

    /// Rule 2: every square of 2 by 2 modules of one colour costs 3 points. Squares may overlap.
    static func blocks(_ rows: [[Bool]]) -> Int {
        var points = 0
        for (upper, lower) in zip(rows, rows.dropFirst()) {
            for column in upper.indices.dropLast() {
                let colour = upper[column]
                if upper[column + 1] == colour, lower[column] == colour, lower[column + 1] == colour {
                    points += 3
                }
            }
        }
        return points
    }

    /// Rule 3: what looks like a cut through a finder pattern, with 4 light modules on either side, costs 40
    /// points. The quiet zone counts as light.
    static func falseFinders(_ line: [Bool]) -> Int {
        let finder = [true, false, true, true, true, false, true]
        let light = [Bool](repeating: false, count: 4)
        let padded = light + line + light
        var points = 0
        for start in 4..<max(4, line.count - 2) {
            let end = start + 7
            guard padded[start..<end].elementsEqual(finder) else { continue }
            if padded[start - 4..<start].elementsEqual(light) || padded[end..<end + 4].elementsEqual(light) {
                points += 40
            }
        }
        return points
    }

    /// Rule 4: every full 5 % by which the share of dark modules differs from one half costs 10 points.
    static func imbalance(_ rows: [[Bool]]) -> Int {
        let modules = rows.joined()
        let dark = modules.count { $0 }
        return abs(2 * dark - modules.count) * 10 / modules.count * 10
    }
}
