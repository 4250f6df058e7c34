/// A name in wire form and lower case, with the offsets of its labels.
///
/// The memory belongs to the event loop and is reused, so that a query allocates nothing. Eight bytes behind the
/// longest name can be read, so that labels can be hashed in words.
final class WireName {
    /// Length-prefixed labels in lower case with the root's zero at the end (RFC 1035, 3.1).
    let bytes: UnsafeMutablePointer<UInt8>
    /// Offset of each label's length octet in `bytes`, from left to right, without the root.
    let labels: UnsafeMutablePointer<UInt8>
    private(set) var length = 1
    private(set) var labelCount = 0

    static let longest = 255

    init() {
        bytes = .allocate(capacity: Self.longest + 9)
        bytes.initialize(repeating: 0, count: Self.longest + 9)
        labels = .allocate(capacity: 128)
        labels.initialize(repeating: 0, count: 128)
    }

    deinit {
        bytes.deallocate()
        labels.deallocate()
    }

    /// Reads the uncompressed name at `start`; nil for pointers, label types 01 and 10, a missing end or more than 255
    /// bytes. A question is first in its packet, so a pointer in it has no valid target.
    /// - Returns: the offset behind the name.
    func read(_ packet: UnsafeRawBufferPointer, at start: Int) -> Int? {
        var offset = start
        var count = 0
        while true {
            guard offset < packet.count else { return nil }
            let size = Int(packet[offset])
            if size == 0 { break }
            guard size < 64, offset + 1 + size - start < Self.longest else { return nil }
            labels[count] = UInt8(truncatingIfNeeded: offset - start)
            count += 1
            offset += 1 + size
        }
        labelCount = count
        length = offset + 1 - start
        lowercase(packet.baseAddress! + start, inside: packet.count - start)
        return offset + 1
    }

    /// The first label as text, in lower case; empty for the root.
    var firstLabel: String {
        String(decoding: UnsafeBufferPointer(start: bytes + 1, count: Int(bytes[0])), as: UTF8.self)
    }

    /// A copy that outlives the query.
    func copy() -> WireName {
        let copy = WireName()
        _ = copy.read(UnsafeRawBufferPointer(start: bytes, count: length), at: 0)
        return copy
    }

    /// Copies eight bytes at a time; length octets are below 64, so they are no letters and stay unchanged.
    private func lowercase(_ source: UnsafeRawPointer, inside available: Int) {
        let target = UnsafeMutableRawPointer(bytes)
        var index = 0
        while index < length && index + 8 <= available {
            let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            target.storeBytes(of: word.lowercasedASCII, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < length {
            bytes[index] = source.load(fromByteOffset: index, as: UInt8.self).lowercasedASCII
            index += 1
        }
    }

    /// Reads a name from text, such as `www.example.com`, with a dot at its end or without. False if the text is no name:
    /// for empty or long labels, long names and bytes beyond ASCII.
    func read(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { read(text: $0) }
    }

    private func read(text: UnsafeBufferPointer<UInt8>) -> Bool {
        let isOpen = text.last != UInt8(ascii: ".")
        guard !text.isEmpty, text.count + (isOpen ? 2 : 1) <= Self.longest else { return false }
        var (start, count) = (0, 0)
        for place in 0..<text.count + (isOpen ? 1 : 0) {
            guard place < text.count, text[place] != UInt8(ascii: ".") else {
                guard (1..<64).contains(place - start) else { return false }
                bytes[start] = UInt8(place - start)
                labels[count] = UInt8(start)
                count += 1
                start = place + 1
                continue
            }
            guard text[place] > 0x20 && text[place] < 0x7f else { return false }
            bytes[place + 1] = text[place].lowercasedASCII
        }
        bytes[start] = 0
        labelCount = count
        length = start + 1
        return true
    }

    /// The text's labels in wire form, in lower case; nil if the text is no name.
    static func wire(_ text: String) -> [UInt8]? {
        let name = WireName()
        return name.read(text) ? Array(UnsafeBufferPointer(start: name.bytes, count: name.length)) : nil
    }
}

extension UInt8 {
    var lowercasedASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension UInt64 {
    /// Sets bit 0x20 of every byte from A to Z; all other bytes stay.
    var lowercasedASCII: UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = self & (ones &* 0x7f)
        let fromA = low &+ ones &* (0x80 - 0x41)
        let beyondZ = low &+ ones &* (0x80 - 0x5b)
        let letters = (fromA ^ beyondZ) & ~self & (ones &* 0x80)
        return self | letters >> 2
    }
}
