import Testing

@testable import DNS

/// The error that an upstream reports (RFC 8914).
@Suite struct ExtendedErrorTests {
    private static let head: [UInt8] = [0, 1, 0x81, 0x82, 0, 1, 0, 0, 0, 0, 0, 1, 1, 97, 0, 0, 1, 0, 1]
    private static func opt(_ options: [UInt8], length: UInt8? = nil) -> [UInt8] {
        head + [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, length ?? UInt8(options.count)] + options
    }

    @Test(
        arguments: [
            (opt([0, 15, 0, 2, 0, 6]), 6), (opt([0, 12, 0, 1, 0, 0, 15, 0, 3, 0, 22, 65]), 22),
            (opt([]), nil), (opt([0, 15, 0, 1, 6]), nil), (opt([0, 15, 0, 9, 0, 6]), nil),
            (opt([0, 15, 0]), nil),
            (opt([0, 15, 0, 2, 0, 6], length: 90), nil), (head, nil), (Array(head.prefix(12)), nil),
            (Array(head.prefix(5)), nil), ([], nil),
        ] as [([UInt8], UInt16?)])
    func theFirstOneThatCanBeRead(_ message: [UInt8], _ code: UInt16?) {
        message.withUnsafeBytes { #expect(ExtendedError.code(in: $0) == code) }
    }
}
