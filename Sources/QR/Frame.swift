/// Everything in a code of one version that does not depend on its text (6.3), and the way through the rest.
struct Frame {
    /// The fixed modules. A module is nil where a bit of the text goes.
    private(set) var modules: Square<Bool?>
    /// The places of the text's bits, in the order of the bits.
    private(set) var path: [Position] = []

    init(_ version: Version) {
        modules = Square(size: version.size, of: nil)
        drawFinders()
        drawAlignmentPatterns(version.alignmentCentres)
        drawTiming()
        drawVersion(version)
        // Reserves the places of the format, which depends on the mask. One module beside them stays dark.
        for place in formatPlaces.joined() { modules[place.column, place.row] = false }
        modules[8, version.size - 8] = true
        path = freePlaces()
    }

    /// The whole code under a mask. Modules that are left over behind the last codeword hold zeros (7.6).
    func symbol(_ codewords: [UInt8], mask: Mask) -> Square<Bool> {
        var symbol = modules.map { $0 ?? false }
        let bits = [Bool](codewords: codewords)
        for (index, place) in path.enumerated() {
            let bit = index < bits.count && bits[index]
            symbol[place.column, place.row] = bit != mask.inverts(place)
        }
        let format = [Bool](number: Information.format(mask), count: 15)
        for copy in formatPlaces {
            for (place, bit) in zip(copy, format) { symbol[place.column, place.row] = bit }
        }
        return symbol
    }

    /// The free modules, two columns at a time from the right to the left, upwards and downwards in turn
    /// (7.7.3). No pair contains column 6, which holds the timing pattern.
    private func freePlaces() -> [Position] {
        let size = modules.size
        let rightColumns = (1..<size).reversed().filter { $0 > 6 ? $0 % 2 == 0 : $0 % 2 == 1 }
        return rightColumns.enumerated().flatMap { index, right in
            (0..<size).flatMap { step in
                let row = index.isMultiple(of: 2) ? size - 1 - step : step
                return [Position(column: right, row: row), Position(column: right - 1, row: row)]
            }
        }.filter { modules[$0.column, $0.row] == nil }
    }
}

extension Frame {
    /// The three large squares in corners, with their light border (6.3.3, 6.3.4).
    private mutating func drawFinders() {
        let far = modules.size - 4
        for centre in [
            Position(column: 3, row: 3), Position(column: far, row: 3), Position(column: 3, row: far),
        ] {
            drawRings([true, true, false, true, false], around: centre)
        }
    }

    /// The small squares, at every crossing of the centres that no finder pattern has taken (6.3.6).
    private mutating func drawAlignmentPatterns(_ centres: [Int]) {
        for row in centres {
            for column in centres where modules[column, row] == nil {
                drawRings([true, false, true], around: Position(column: column, row: row))
            }
        }
    }

    /// Squares within squares, from the centre out; what lies outside of the code is left out.
    private mutating func drawRings(_ rings: [Bool], around centre: Position) {
        for row in 0..<modules.size {
            for column in 0..<modules.size {
                let distance = max(abs(column - centre.column), abs(row - centre.row))
                if distance < rings.count { modules[column, row] = rings[distance] }
            }
        }
    }

    /// The dotted lines between the finder patterns (6.3.5). Alignment patterns already fit to them.
    private mutating func drawTiming() {
        for index in 8..<modules.size - 8 {
            modules[index, 6] = index.isMultiple(of: 2)
            modules[6, index] = index.isMultiple(of: 2)
        }
    }

    /// The number of the version, twice, from version 7 on (7.10).
    private mutating func drawVersion(_ version: Version) {
        guard version.number >= 7 else { return }
        let bits = [Bool](number: Information.version(version.number), count: 18)
        for (index, bit) in bits.reversed().enumerated() {
            let (along, across) = (index / 3, modules.size - 11 + index % 3)
            modules[across, along] = bit
            modules[along, across] = bit
        }
    }

    /// The places of both copies of the format, from its most significant bit on (7.9).
    private var formatPlaces: [[Position]] {
        let size = modules.size
        let corner = [0, 1, 2, 3, 4, 5, 7, 8]
        let around =
            corner.map { Position(column: $0, row: 8) }
            + corner.dropLast().reversed().map { Position(column: 8, row: $0) }
        let apart =
            (0..<7).map { Position(column: 8, row: size - 1 - $0) }
            + (0..<8).map { Position(column: size - 8 + $0, row: 8) }
        return [around, apart]
    }
}
