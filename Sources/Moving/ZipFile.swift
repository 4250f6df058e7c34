import Foundation

/// A zip archive in memory (APPNOTE 6.3, without Zip64): its entries by name. Nothing is ever written to a name of it.
struct ZipFile {
    /// In bytes, of one unpacked entry; what it claims and what it is are both held to it.
    static let largestEntry = 32 * 1_024 * 1_024
    private static let mostEntries = 1_000

    private struct Entry {
        var isDeflated: Bool
        var checksum: UInt32
        var packed: Int
        var size: Int
        /// The offset of its local header from the start.
        var offset: Int
    }

    private let bytes: [UInt8]
    private var entries: [String: Entry] = [:]

    init(_ data: Data) throws(ForeignFault) {
        bytes = Array(data)
        guard let end = Self.end(of: bytes) else { throw .brokenArchive }
        let count = number(2, at: end + 10)
        var place = number(4, at: end + 16)
        guard count <= Self.mostEntries, place < end else { throw .brokenArchive }
        for _ in 0..<count {
            guard place + 46 <= end, number(4, at: place) == 0x0201_4B50 else { throw .brokenArchive }
            let (name, extra, comment) = (
                number(2, at: place + 28), number(2, at: place + 30), number(2, at: place + 32)
            )
            guard place + 46 + name <= end else { throw .brokenArchive }
            let text = String(decoding: bytes[(place + 46)..<(place + 46 + name)], as: UTF8.self)
            try Self.check(text)
            guard number(2, at: place + 8) & 1 == 0 else { throw .archiveLocked }
            let method = number(2, at: place + 10)
            if method == 0 || method == 8 {
                entries[text] = Entry(
                    isDeflated: method == 8, checksum: UInt32(number(4, at: place + 16)),
                    packed: number(4, at: place + 20), size: number(4, at: place + 24),
                    offset: number(4, at: place + 42))
            }
            place += 46 + name + extra + comment
        }
    }

    /// Its entries, in order.
    var names: [String] { entries.keys.sorted() }

    /// The content of an entry; nil if there is none of this name.
    func content(of name: String) throws(ForeignFault) -> Data? {
        guard let entry = entries[name] else { return nil }
        guard entry.size <= Self.largestEntry else { throw .archiveTooLarge }
        guard entry.offset + 30 <= bytes.count, number(4, at: entry.offset) == 0x0403_4B50 else {
            throw .brokenArchive
        }
        let start =
            entry.offset + 30 + number(2, at: entry.offset + 26) + number(2, at: entry.offset + 28)
        guard start + entry.packed <= bytes.count else { throw .brokenArchive }
        let packed = bytes[start..<(start + entry.packed)]
        let content = entry.isDeflated ? try Inflation.inflated(packed, size: entry.size) : Array(packed)
        guard content.count == entry.size, Inflation.checksum(of: content) == entry.checksum else {
            throw .brokenArchive
        }
        return Data(content)
    }

    /// Refuses names that lead out of the archive. Pi-hole's archives have none, so another program made this one.
    private static func check(_ name: String) throws(ForeignFault) {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.hasPrefix("/"), !name.contains("\\"), !name.contains("\0"), !parts.contains("..") else {
            throw .archiveLeadsOut
        }
    }

    /// Where the end of the central directory is: in the last 64 KB, behind it a comment only.
    private static func end(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 22 else { return nil }
        let first = max(0, bytes.count - 22 - 0xFFFF)
        return (first...(bytes.count - 22)).reversed().first { place in
            bytes[place] == 0x50 && bytes[place + 1] == 0x4B && bytes[place + 2] == 5 && bytes[place + 3] == 6
        }
    }

    /// A little-endian number of 2 or 4 bytes.
    private func number(_ length: Int, at place: Int) -> Int {
        (0..<length).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
}
