/// The Reed-Solomon code over GF(256) that corrects damaged codewords (7.5.2, annex A).
struct ReedSolomon {
    /// The coefficients of the generator polynomial below its leading 1, from the highest power down.
    let generator: [UInt8]

    /// The generator is the product of (x - 2⁰), (x - 2¹) and so on, one factor for each check codeword.
    init(checkCount: Int) {
        var product: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<checkCount {
            // Times x moves every coefficient one place to the left; minus is the same as plus here.
            var next = product + [0]
            for (index, coefficient) in product.enumerated() {
                next[index + 1] ^= Self.product(coefficient, root)
            }
            product = next
            root = Self.product(root, 2)
        }
        generator = Array(product.dropFirst())
    }

    /// The remainder of the data, followed by as many zeros as there are check codewords, divided by the
    /// generator.
    func checkCodewords(of data: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for codeword in data {
            let factor = codeword ^ remainder.removeFirst()
            remainder.append(0)
            for (index, coefficient) in generator.enumerated() {
                remainder[index] ^= Self.product(coefficient, factor)
            }
        }
        return remainder
    }

    /// The product of two elements of GF(256), whose polynomial is x⁸ + x⁴ + x³ + x² + 1.
    static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var sum = 0
        for bit in (0..<8).reversed() {
            sum <<= 1
            if sum > 255 { sum ^= 0b1_0001_1101 }
            if right >> bit & 1 == 1 { sum ^= Int(left) }
        }
        return UInt8(sum)
    }
}
