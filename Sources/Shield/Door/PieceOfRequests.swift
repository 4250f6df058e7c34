import Glibc

/// Where a piece of a connection's bytes ends: behind its second request head at the latest. So an event loop makes little
/// of one connection before the others have their turn.
struct PieceOfRequests {
    enum Kind { case text, frames }

    private static let mostHeads = 2
    /// What an HTTP/2 client sends before its first frame (RFC 9113, 3.4), in bytes.
    private static let preface = 24
    /// A HEADERS frame (RFC 9113, 6.2).
    private static let headersType: UInt8 = 1

    private let kind: Kind
    /// Bytes left of the frame that is handed on.
    private var left = preface
    private var isHead = false
    /// The part that is known of the next frame's header (RFC 9113, 4.1).
    private var header: [UInt8] = []

    init(_ kind: Kind) { self.kind = kind }

    /// The length of the next piece; all bytes up to there are handed on.
    mutating func length(in bytes: UnsafeRawBufferPointer) -> Int {
        switch kind {
        case .text: lengthOfText(bytes)
        case .frames: lengthOfFrames(bytes)
        }
    }

    /// Up to the second empty line, which ends the second head: a body in between has none, or is cut there.
    private func lengthOfText(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        var heads = 0
        var next = 0
        // A body of a million lines passes here too: the C library finds their ends.
        while let newline = memchr(start + next, Int32(UInt8(ascii: "\n")), bytes.count - next) {
            next = UnsafeRawPointer(newline) - start + 1
            guard next < bytes.count else { break }
            let end = bytes[next] == UInt8(ascii: "\r") ? next + 1 : next
            guard end < bytes.count, bytes[end] == UInt8(ascii: "\n") else { continue }
            heads += 1
            if heads == Self.mostHeads { return end + 1 }
        }
        return bytes.count
    }

    private mutating func lengthOfFrames(_ bytes: UnsafeRawBufferPointer) -> Int {
        var heads = 0
        var index = 0
        while index < bytes.count {
            if left > 0 {
                let step = min(left, bytes.count - index)
                left -= step
                index += step
                if left == 0, isHead { heads += 1 }
                if heads == Self.mostHeads { return index }
            } else {
                header.append(bytes[index])
                index += 1
                guard header.count == 9 else { continue }
                left = header.prefix(3).reduce(0) { $0 << 8 | Int($1) }
                isHead = header[3] == Self.headersType
                header.removeAll(keepingCapacity: true)
            }
        }
        return index
    }
}
