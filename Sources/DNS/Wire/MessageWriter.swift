/// Writes one message into the given memory; leaves out the parts that do not fit.
struct MessageWriter {
    let target: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ target: UnsafeMutableRawBufferPointer) {
        self.target = target
    }

    @inline(__always)
    private mutating func reserve(_ size: Int) -> UnsafeMutableRawPointer? {
        guard count + size <= target.count, let base = target.baseAddress else { return nil }
        defer { count += size }
        return base + count
    }

    @inline(__always)
    mutating func u8(_ value: UInt8) {
        reserve(1)?.storeBytes(of: value, as: UInt8.self)
    }

    @inline(__always)
    mutating func u16(_ value: UInt16) {
        reserve(2)?.storeBytes(of: value.bigEndian, as: UInt16.self)
    }

    @inline(__always)
    mutating func u32(_ value: UInt32) {
        reserve(4)?.storeBytes(of: value.bigEndian, as: UInt32.self)
    }

    @inline(__always)
    mutating func u64(_ value: UInt64) {
        reserve(8)?.storeBytes(of: value.bigEndian, as: UInt64.self)
    }

    @inline(__always)
    mutating func bytes(_ source: UnsafeRawBufferPointer) {
        guard !source.isEmpty, let place = reserve(source.count) else { return }
        place.copyMemory(from: source.baseAddress!, byteCount: source.count)
    }

    mutating func zeros(_ size: Int) {
        guard size > 0, let place = reserve(size) else { return }
        place.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    /// Overwrites a number that was written before.
    mutating func set(u16 value: UInt16, at offset: Int) {
        precondition(offset + 2 <= count)
        target.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt16.self)
    }

    mutating func set(u32 value: UInt32, at offset: Int) {
        precondition(offset + 4 <= count)
        target.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
    }

    func readU32(at offset: Int) -> UInt32 {
        UnsafeRawBufferPointer(target).u32(offset)
    }
}
