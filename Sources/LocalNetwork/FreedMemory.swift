import LinuxCalls

/// Memory that this process has freed and the C library still holds.
package enum FreedMemory {
    /// Bytes. A start, a page with much in it or a burst of clients frees more. Less is not worth the call.
    private static let spare = 1 << 18

    /// Keeps it in one place for all threads, not in one for each: that is a megabyte less, and no slower here. Call it
    /// while there is one thread.
    package static func share() { linux_share_memory() }

    /// Returns much freed memory to the machine. glibc does so only at the end of its heap, which one lasting
    /// connection keeps in use. Takes 0.1 to 0.2 ms for a small house and milliseconds for a full one; call it about once a
    /// minute.
    package static func giveBack() { _ = linux_return_memory(spare) }
}
