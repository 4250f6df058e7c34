import Glibc

/// The space on a disk, in bytes, that an ordinary user may use (statvfs(3)).
package struct DiskSpace: Hashable, Sendable {
    package var free: UInt64
    package var total: UInt64
    package var isReadOnly: Bool

    /// Nil if the kernel does not tell.
    package static func at(_ path: String) -> DiskSpace? {
        var state = statvfs()
        guard statvfs(path, &state) == 0, state.f_frsize > 0 else { return nil }
        let unit = UInt64(state.f_frsize)
        func bytes(_ blocks: some BinaryInteger) -> UInt64 {
            let (product, isTooLarge) = UInt64(clamping: blocks).multipliedReportingOverflow(by: unit)
            return isTooLarge ? .max : product
        }
        return DiskSpace(
            free: bytes(state.f_bavail), total: bytes(state.f_blocks),
            isReadOnly: state.f_flag & UInt(ST_RDONLY) != 0)
    }
}
