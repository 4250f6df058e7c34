#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Hashing and comparing labels in lower case. Eight bytes behind a label must be readable.
enum LabelHash {
    private static let factor: UInt64 = 0x9e37_79b9_7f4a_7c15

    @inline(__always)
    static func of(_ parent: UInt32, _ label: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        of(seed: UInt64(parent) << 8 | UInt64(length), label, length)
    }

    /// Eight bytes a step; the surplus bytes of the last word are shifted out.
    @inline(__always)
    static func of(seed: UInt64, _ bytes: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        let raw = UnsafeRawPointer(bytes)
        var hash = (seed &+ 1) &* factor
        var index = 0
        while index + 8 <= length {
            hash = mix(hash ^ UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        if index < length {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            hash = mix(hash ^ (word << UInt64(8 * (8 - (length - index)))))
        }
        return hash
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value &* factor
        return product ^ product >> 32
    }

    @inline(__always)
    static func equal(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        memcmp(one, other, length) == 0
    }
}
