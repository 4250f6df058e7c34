extension Version {
    /// All codewords of the code in the order in which they are placed: the data, then the check codewords.
    ///
    /// Both are interleaved: the first codeword of each block, then the second of each, and so on (7.6). So
    /// a stain takes a little of each block instead of much of one.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        let blocks = blocks(of: data(of: bytes))
        let code = ReedSolomon(checkCount: checkCount)
        return interleaved(blocks) + interleaved(blocks.map(code.checkCodewords))
    }

    /// The data codewords: mode, length, bytes, terminator and padding (7.4.5, 7.4.9, 7.4.10).
    ///
    /// `bytes` is UTF-8 and fits into the version.
    func data(of bytes: [UInt8]) -> [UInt8] {
        var bits = bytes.isASCII ? [] : Self.announcementOfUTF8
        bits += Self.byteMode + [Bool](number: bytes.count, count: lengthBits) + [Bool](codewords: bytes)
        // The terminator is four zeros, or fewer if there is no room. Zeros fill the last codeword, too.
        bits += [Bool](repeating: false, count: min(4, 8 * dataCount - bits.count))
        bits += [Bool](repeating: false, count: (8 - bits.count % 8) % 8)

        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<dataCount - data.count {
            data.append(index.isMultiple(of: 2) ? 0b1110_1100 : 0b0001_0001)
        }
        return data
    }

    /// The data in blocks. If they do not divide evenly, the last blocks have one codeword more (table 9).
    func blocks(of data: [UInt8]) -> [[UInt8]] {
        let length = dataCount / blockCount
        let shortBlocks = blockCount - dataCount % blockCount
        return (0..<blockCount).map { index in
            let start = index * length + max(0, index - shortBlocks)
            return Array(data[start..<start + length + (index < shortBlocks ? 0 : 1)])
        }
    }

    private func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        let longest = blocks.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in
            blocks.filter { index < $0.count }.map { $0[index] }
        }
    }
}

extension [UInt8] {
    var isASCII: Bool { allSatisfy { $0 < 128 } }
}

extension [Bool] {
    /// The lowest `count` bits of a number, the most significant first.
    init(number: Int, count: Int) {
        self = (0..<count).reversed().map { number >> $0 & 1 == 1 }
    }

    /// The bits of all codewords, the most significant of each first.
    init(codewords: [UInt8]) {
        self = codewords.flatMap { [Bool](number: Int($0), count: 8) }
    }
}
