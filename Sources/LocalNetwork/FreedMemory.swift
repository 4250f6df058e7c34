import LinuxCalls

/// Memory that this process has freed and the C library still holds.
package enum FreedMemory {
    /// Bytes. A burst of clients frees tens of megabytes; what a home needs again all day is less and stays.
    private static let spare = 8 << 20

    /// Returns much freed memory to the machine. glibc does so only at the end of its heap, which one lasting
    /// connection keeps in use. Takes milliseconds; call it about once a minute.
    package static func giveBack() { _ = linux_return_memory(spare) }
}
