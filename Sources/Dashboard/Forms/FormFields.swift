package import NIOCore

/// The fields of one posted form (`application/x-www-form-urlencoded`), bounded and strictly decoded.
///
/// Strict, because ignoring a mistyped name (`strictnes=strict`) would start something that was not asked for.
package struct FormFields: Sendable {
    package enum Fault: Error, Equatable {
        case tooManyFields
        case nameOrValueTooLong
        /// A `%` without two hexadecimal digits after it.
        case badEscape
        case notUTF8
        /// A NUL or another control character that none of our fields allows.
        case controlCharacter
    }

    package static let maximumFields = 4096
    package static let maximumNameBytes = 64
    /// As long as a form: a text too long for its field is refused beside it, and the input is kept.
    package static let maximumValueBytes = 64 * 1024

    /// In the order of the form.
    package let pairs: [(name: String, value: String)]

    package init(pairs: [(name: String, value: String)] = []) {
        self.pairs = pairs
    }

    package init(_ body: ByteBuffer, maximumValue: Int = maximumValueBytes) throws(Fault) {
        try self.init(bytes: body.readableBytesView, maximumValue: maximumValue)
    }

    /// - Parameter maximumValue: the longest value, in bytes.
    package init(bytes: some Collection<UInt8>, maximumValue: Int = maximumValueBytes) throws(Fault) {
        var pairs: [(name: String, value: String)] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            guard pairs.count < Self.maximumFields else { throw .tooManyFields }
            let halves = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decode(halves[0], upTo: Self.maximumNameBytes)
            let value = halves.count > 1 ? try Self.decode(halves[1], upTo: maximumValue) : ""
            pairs.append((name, value))
        }
        self.pairs = pairs
    }

    package func all(_ name: String) -> [String] {
        pairs.filter { $0.name == name }.map(\.value)
    }

    package func first(_ name: String) -> String? {
        pairs.first { $0.name == name }?.value
    }

    /// As `application/x-www-form-urlencoded`.
    package var encoded: String {
        pairs.map { "\($0.name.queryEscaped)=\($0.value.queryEscaped)" }.joined(separator: "&")
    }

    package func contains(_ name: String) -> Bool { first(name) != nil }

    /// Percent escapes and `+`, then UTF-8 without repair.
    private static func decode(_ bytes: some Collection<UInt8>, upTo limit: Int) throws(Fault) -> String {
        var decoded: [UInt8] = []
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            guard decoded.count < limit else { throw .nameOrValueTooLong }
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(hexadecimal), let low = rest.next().flatMap(hexadecimal)
                else { throw .badEscape }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .notUTF8 }
        let isClean = text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\r" || scalar == "\t"
                || scalar.properties.generalCategory != .control
        }
        guard isClean else { throw .controlCharacter }
        return text
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
