/// A square of modules.
struct Square<Module> {
    /// The width and the height in modules.
    let size: Int
    /// Row by row, from the top.
    private var cells: [Module]

    init(size: Int, of module: Module) {
        self.size = size
        cells = Array(repeating: module, count: size * size)
    }

    /// A module at a place inside of the square.
    subscript(column: Int, row: Int) -> Module {
        get { cells[row * size + column] }
        set { cells[row * size + column] = newValue }
    }

    /// The same square with other modules.
    func map<Other>(_ transform: (Module) -> Other) -> Square<Other> {
        Square<Other>(size: size, cells: cells.map(transform))
    }

    private init(size: Int, cells: [Module]) {
        self.size = size
        self.cells = cells
    }
}

extension Square: Equatable where Module: Equatable {}
extension Square: Hashable where Module: Hashable {}
extension Square: Sendable where Module: Sendable {}

/// A place in a square.
struct Position: Hashable, Sendable {
    let column, row: Int
}
