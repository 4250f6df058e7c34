import LinuxCalls

/// What this process has freed and the C library keeps for later.
package enum FreedMemory {
    /// In bytes. A crowd that left lets its tens of megabytes go; what a home asks for again all day stays.
    private static let spare = 8 << 20

    /// Gives it back to the machine where it is much: glibc does so only at the end of its heap, which one connection that
    /// stays keeps in use. It takes milliseconds; call it once a minute or so.
    package static func giveBack() { _ = linux_return_memory(spare) }
}
