import NIOCore
import Zlib

/// How much work gzip's coding is worth.
enum GzipLevel {
    /// For a text that is packed for one answer. A large page takes less than half of the default's time, and pages get 6 to
    /// 17 % longer, which a home network does not notice.
    case answer
    /// For a text that may repeat a part of its request: letters get shorter codes, but nothing refers to an equal text
    /// before. Otherwise the length would tell whether a guess in an address is on the page (BREACH).
    case repetition
    /// For a text that is packed once and kept.
    case kept

    /// zlib's level and strategy.
    fileprivate var choice: (level: Int32, strategy: Int32) {
        switch self {
        case .answer: (3, Z_DEFAULT_STRATEGY)
        case .repetition: (3, Z_HUFFMAN_ONLY)
        case .kept: (6, Z_DEFAULT_STRATEGY)
        }
    }
}

/// Bytes in gzip's coding (RFC 1952); nil if zlib has no memory.
func gzip(_ bytes: ByteBuffer, _ level: GzipLevel) -> ByteBuffer? {
    var stream = z_stream()
    // 16 more than the window's bits asks for gzip's head and checksum.
    let isReady = deflateInit2_(
        &stream, level.choice.level, Z_DEFLATED, 16 + MAX_WBITS, 8, level.choice.strategy, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
    guard isReady == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    return bytes.withUnsafeReadableBytes { text in
        stream.next_in = UnsafeMutablePointer(
            mutating: text.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.avail_in = UInt32(text.count)
        var packed = ByteBuffer()
        var status = Z_OK
        while status == Z_OK {
            packed.writeWithUnsafeMutableBytes(minimumWritableBytes: 4096) { room in
                stream.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(room.count)
                status = deflate(&stream, Z_FINISH)
                return room.count - Int(stream.avail_out)
            }
        }
        return status == Z_STREAM_END ? packed : nil
    }
}
