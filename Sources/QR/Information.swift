/// What a reader must know before it can read the data, with check bits of a BCH code.
enum Information {
    /// 15 bits: level M, the mask and 10 check bits (7.9, annex C). The pattern at the end keeps them from
    /// being all light.
    static func format(_ mask: Mask) -> Int {
        let levelM = 0b00
        let format = withCheckBits(levelM << 3 | mask.rawValue, 10, generator: 0b101_0011_0111)
        return format ^ 0b101_0100_0001_0010
    }

    /// 18 bits: the number of the version and 12 check bits (7.10, annex D). Only versions from 7 on have it.
    static func version(_ number: Int) -> Int {
        withCheckBits(number, 12, generator: 0b1_1111_0010_0101)
    }

    /// The number, followed by the remainder of its division by the generator. Bits are coefficients of
    /// polynomials, so minus is exclusive or.
    private static func withCheckBits(_ number: Int, _ count: Int, generator: Int) -> Int {
        var remainder = number << count
        // Neither number has more than 6 bits.
        for shift in (0..<6).reversed() where remainder >> (shift + count) & 1 == 1 {
            remainder ^= generator << shift
        }
        return number << count | remainder
    }
}
