import NIOCore
import Zlib

/// How much work gzip's coding is worth: zlib's levels.
enum GzipLevel: Int32 {
    /// For a text that is packed for one answer. A large page takes less than half of the default's time, and pages get 6 to
    /// 17 % longer, which a home network does not notice.
    case answer = 3
    /// For a text that is packed once and kept.
    case kept = 6
}

/// Bytes in gzip's coding (RFC 1952); nil if zlib has no memory.
func gzip(_ bytes: ByteBuffer, _ level: GzipLevel) -> ByteBuffer? {
    var stream = z_stream()
    // 16 more than the window's bits asks for gzip's head and checksum.
    let isReady = deflateInit2_(
        &stream, level.rawValue, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
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
