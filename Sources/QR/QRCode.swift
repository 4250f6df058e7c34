/// A QR code of error correction level M, which survives damage to about 15 % of it (ISO/IEC 18004:2015).
///
/// The text is stored in byte mode as UTF-8. Versions 1 to 10 hold up to 213 bytes of ASCII, or 212 bytes of
/// another text, because the code must say then that it is UTF-8.
package struct QRCode: Hashable, Sendable {
    private let modules: Square<Bool>

    /// Picks the smallest version that holds the text, and the mask that is easiest to read.
    package init(_ text: String) throws(TooLong) {
        let rated = try Self.symbols(of: text).map { (symbol: $0, points: Penalty.points(of: $0)) }
        modules = rated.min { $0.points < $1.points }!.symbol
    }

    init(modules: Square<Bool>) {
        self.modules = modules
    }

    /// The width and the height in modules, without the quiet zone: 21 for version 1, 57 for version 10.
    package var size: Int { modules.size }

    /// Whether a module is dark. Column 0 is at the left and row 0 at the top. Every place outside of the
    /// code is light, as the quiet zone must be.
    package subscript(column: Int, row: Int) -> Bool {
        let inside = 0..<size
        return inside.contains(column) && inside.contains(row) && modules[column, row]
    }
}

extension QRCode {
    /// The width of the light border that a reader needs around the code, in modules (6.3.8).
    static let quietZone = 4

    /// The columns of the code with its quiet zone. The rows have the same range.
    var extent: Range<Int> { -Self.quietZone..<size + Self.quietZone }

    /// The error for a text that has more bytes than the largest version holds.
    package struct TooLong: Error, Hashable, CustomStringConvertible {
        /// The length of the text in bytes of UTF-8.
        package let bytes: Int
        /// The length of the longest text that fits, in bytes of UTF-8.
        package let limit: Int

        package var description: String {
            "The text has \(bytes) bytes. At most \(limit) fit into a QR code."
        }
    }

    /// The text under each of the eight masks, in the order of their numbers.
    static func symbols(of text: String) throws(TooLong) -> [Square<Bool>] {
        let bytes = Array(text.utf8)
        let isASCII = bytes.isASCII
        guard let version = Version.all.first(where: { bytes.count <= $0.capacity(isASCII: isASCII) }) else {
            throw TooLong(bytes: bytes.count, limit: Version.all.last!.capacity(isASCII: isASCII))
        }
        let frame = Frame(version)
        let codewords = version.codewords(of: bytes)
        return Mask.allCases.map { frame.symbol(codewords, mask: $0) }
    }
}
