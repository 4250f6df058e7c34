import Testing

@testable import QR

/// Codewords and check bits, against the examples and tables of ISO/IEC 18004.
struct CodewordTests {
    /// Annex I: the codewords of "01234567" in version 1-M. (The example is in numeric mode.)
    static let exampleData: [UInt8] =
        [0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11]
    static let exampleChecks: [UInt8] = [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55]

    @Test func checkCodewordsOfTheStandardsExample() {
        #expect(ReedSolomon(checkCount: 10).checkCodewords(of: Self.exampleData) == Self.exampleChecks)
    }

    /// Annex A names the coefficients as powers of 2.
    @Test(arguments: [
        (7, [87, 229, 146, 149, 238, 102, 21]),
        (10, [251, 67, 46, 61, 118, 70, 64, 94, 32, 45]),
        (16, [120, 104, 107, 109, 102, 161, 76, 3, 91, 191, 147, 169, 182, 194, 225, 120]),
    ])
    func generatorPolynomials(checkCount: Int, powers: [Int]) {
        let coefficients = powers.map { power in
            (0..<power).reduce(UInt8(1)) { value, _ in ReedSolomon.product(value, 2) }
        }
        #expect(ReedSolomon(checkCount: checkCount).generator == coefficients)
    }

    /// A block is a polynomial whose value is 0 at each root of the generator. A reader finds damage by that.
    @Test(arguments: Version.all) func everyBlockIsAMultipleOfTheGenerator(version: Version) {
        let code = ReedSolomon(checkCount: version.checkCount)
        for block in version.blocks(of: version.data(of: Array(version.longestGreeting.utf8))) {
            var root: UInt8 = 1
            for _ in 0..<version.checkCount {
                let value = (block + code.checkCodewords(of: block)).reduce(UInt8(0)) {
                    ReedSolomon.product($0, root) ^ $1
                }
                #expect(value == 0)
                root = ReedSolomon.product(root, 2)
            }
        }
    }

    /// Table 7: bytes at level M.
    @Test func capacities() {
        #expect(Version.all.map(\.number) == Array(1...10))
        let ascii = Version.all.map { $0.capacity(isASCII: true) }
        #expect(ascii == [14, 26, 42, 62, 84, 106, 122, 152, 180, 213])
        // The announcement of UTF-8 takes 12 bits, 4 of which were free.
        #expect(Version.all.map { $0.capacity(isASCII: false) } == ascii.map { $0 - 1 })
        #expect(Version.all.map(\.dataCount) == [16, 28, 44, 64, 86, 108, 124, 154, 182, 216])
    }

    /// Table 9: the lengths of the data in blocks.
    @Test(arguments: [
        (1, [16]), (5, [43, 43]), (7, [31, 31, 31, 31]), (8, [38, 38, 39, 39]), (9, [36, 36, 36, 37, 37]),
        (10, [43, 43, 43, 43, 44]),
    ])
    func blocks(number: Int, lengths: [Int]) {
        let version = Version.number(number)
        let data = (0..<version.dataCount).map { UInt8($0) }
        let blocks = version.blocks(of: data)
        #expect(blocks.map(\.count) == lengths)
        #expect(blocks.flatMap { $0 } == data)
    }

    @Test func dataHasModeLengthBytesTerminatorAndPadding() {
        let data = Version.number(1).data(of: Array("Good night".utf8))
        #expect(
            data == [
                0x40, 0xA4, 0x76, 0xF6, 0xF6, 0x42, 0x06, 0xE6, 0x96, 0x76, 0x87, 0x40, 0xEC, 0x11, 0xEC,
                0x11,
            ])
        // 0x7 and 0x1A announce UTF-8.
        #expect(
            Version.number(1).data(of: Array("Zoë".utf8)) == [
                0x71, 0xA4, 0x04, 0x5A, 0x6F, 0xC3, 0xAB, 0x00, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC,
                0x11,
            ])
        // No room is left for the terminator.
        let full = Version.number(1).data(of: Array("Zoë Zoë Zo!".utf8))
        #expect(full.count == 16 && full.suffix(4) == [0x20, 0x5A, 0x6F, 0x21])
        // From version 10 on the length has 16 bits.
        #expect(Version.number(10).data(of: [0x61]).prefix(6) == [0x40, 0x00, 0x16, 0x10, 0xEC, 0x11])
        #expect(Version.number(10).data(of: []).count == 216)
    }

    /// Blocks of 38, 38, 39 and 39: the last codewords of the two long ones stand alone.
    @Test func codewordsAreInterleaved() {
        let version = Version.number(8)
        let bytes = Array(version.longestAddress.utf8)
        let blocks = version.blocks(of: version.data(of: bytes))
        let codewords = version.codewords(of: bytes)
        #expect(codewords.count == 242)
        #expect(Array(codewords[0..<4]) == blocks.map { $0[0] })
        #expect(Array(codewords[148..<152]) == blocks.map { $0[37] })
        #expect(Array(codewords[152..<154]) == [blocks[2][38], blocks[3][38]])
        let checks = blocks.map(ReedSolomon(checkCount: 22).checkCodewords)
        #expect(Array(codewords[154..<158]) == checks.map { $0[0] })
        #expect(Array(codewords[238..<242]) == checks.map { $0[21] })
    }

    /// Table C.1, the rows of level M.
    @Test func formatInformation() {
        #expect(
            Mask.allCases.map(Information.format) == [
                0x5412, 0x5125, 0x5E7C, 0x5B4B, 0x45F9, 0x40CE, 0x4F97, 0x4AA0,
            ])
    }

    /// Table D.1.
    @Test func versionInformation() {
        #expect((7...10).map(Information.version) == [0x07C94, 0x085BC, 0x09A99, 0x0A4D3])
    }
}
