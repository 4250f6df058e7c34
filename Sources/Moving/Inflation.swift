import Zlib

/// zlib's raw inflate (RFC 1951), bounded.
enum Inflation {
    /// Unpacks what becomes exactly `size` bytes; a bomb that becomes more is stopped there.
    static func inflated(_ packed: ArraySlice<UInt8>, size: Int) throws(ForeignFault) -> [UInt8] {
        var stream = z_stream()
        guard
            inflateInit2_(&stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw .brokenArchive }
        defer { inflateEnd(&stream) }
        var input = Array(packed)
        // One byte more than promised, so that more is noticed.
        var output = [UInt8](repeating: 0, count: size + 1)
        let (status, written) = input.withUnsafeMutableBufferPointer { from in
            output.withUnsafeMutableBufferPointer { to in
                stream.next_in = from.baseAddress
                stream.avail_in = UInt32(from.count)
                stream.next_out = to.baseAddress
                stream.avail_out = UInt32(to.count)
                let status = inflate(&stream, Z_FINISH)
                return (status, to.count - Int(stream.avail_out))
            }
        }
        guard written <= size else { throw .archiveTooLarge }
        guard status == Z_STREAM_END, written == size else { throw .brokenArchive }
        return Array(output.prefix(size))
    }

    static func checksum(of bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(crc32(0, $0.baseAddress, UInt32($0.count))) }
    }
}
