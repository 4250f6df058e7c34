/// A pattern that inverts modules of the data, so that the code has no large areas and no false finder
/// patterns (7.8.2, table 10). The raw value is the number in the format information.
enum Mask: Int, CaseIterable, Sendable {
    case checkerboard, rows, columns, diagonals, bricks, crosses, diamonds, weave

    /// Whether this pattern inverts the module at a place.
    func inverts(_ place: Position) -> Bool {
        let (column, row) = (place.column, place.row)
        let product = column * row
        return switch self {
        case .checkerboard: (row + column) % 2 == 0
        case .rows: row % 2 == 0
        case .columns: column % 3 == 0
        case .diagonals: (row + column) % 3 == 0
        case .bricks: (row / 2 + column / 3) % 2 == 0
        case .crosses: product % 2 + product % 3 == 0
        case .diamonds: (product % 2 + product % 3) % 2 == 0
        case .weave: ((row + column) % 2 + product % 3) % 2 == 0
        }
    }
}
