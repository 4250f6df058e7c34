/// A size of QR code and its share of error correction, all at level M.
struct Version: Hashable, Sendable {
    /// 1 to 10.
    let number: Int
    /// How many codewords of 8 bits the code holds (table 1).
    let codewordCount: Int
    /// How many blocks share the codewords, and how many check codewords each block has (table 9).
    let blockCount, checkCount: Int

    static let all: [Version] = [
        Version(number: 1, codewordCount: 26, blockCount: 1, checkCount: 10),
        Version(number: 2, codewordCount: 44, blockCount: 1, checkCount: 16),
        Version(number: 3, codewordCount: 70, blockCount: 1, checkCount: 26),
        Version(number: 4, codewordCount: 100, blockCount: 2, checkCount: 18),
        Version(number: 5, codewordCount: 134, blockCount: 2, checkCount: 24),
        Version(number: 6, codewordCount: 172, blockCount: 4, checkCount: 16),
        Version(number: 7, codewordCount: 196, blockCount: 4, checkCount: 18),
        Version(number: 8, codewordCount: 242, blockCount: 4, checkCount: 22),
        Version(number: 9, codewordCount: 292, blockCount: 5, checkCount: 22),
        Version(number: 10, codewordCount: 346, blockCount: 5, checkCount: 26),
    ]

    /// The width and the height in modules (6.3.1).
    var size: Int { 17 + 4 * number }

    /// How many codewords are left for the data.
    var dataCount: Int { codewordCount - blockCount * checkCount }

    /// The length of the character count in byte mode, in bits (table 3).
    var lengthBits: Int { number < 10 ? 8 : 16 }

    /// How many bytes of text fit (table 7). The mode and the length stand before them. A text that is not
    /// ASCII also needs the announcement of UTF-8.
    func capacity(isASCII: Bool) -> Int {
        let announcement = isASCII ? 0 : Self.announcementOfUTF8.count
        return (8 * dataCount - announcement - Self.byteMode.count - lengthBits) / 8
    }

    /// The columns in which alignment patterns have their centres (annex E). The rows are the same.
    var alignmentCentres: [Int] {
        switch number {
        case 1: []
        case 2...6: [6, size - 7]
        default: [6, size / 2, size - 7]
        }
    }

    /// The indicator of byte mode (table 2).
    static let byteMode = [Bool](number: 0b0100, count: 4)

    /// The indicator of an extended channel interpretation, and number 26, which is UTF-8 (7.4.2). Without
    /// it, readers guess, and some take "Zoë" for Chinese.
    static let announcementOfUTF8 = [Bool](number: 0b0111, count: 4) + [Bool](number: 26, count: 8)
}
