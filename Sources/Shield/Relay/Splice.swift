import Glibc
import LinuxCalls
import NIOCore

/// Moves bytes from one socket to another without a copy, through a pipe of one event loop (splice(2)). A gigabyte costs
/// half of what it costs through buffers.
final class Splice {
    /// How many bytes are taken at once, which is also what the pipe can hold.
    private static let portion = 256 << 10

    private let output: CInt
    private let input: CInt

    /// Nil without a free descriptor.
    init?() {
        var ends: [CInt] = [-1, -1]
        guard linux_pipe(&ends, Int32(Self.portion)) == 0 else { return nil }
        (output, input) = (ends[0], ends[1])
    }

    deinit {
        close(output)
        close(input)
    }

    /// Takes what waits at one socket, a portion at the most, and gives it to the other.
    ///
    /// - Returns: how many bytes were taken, and those that the other does not take now; 0 if nothing waits there.
    func move(_ from: CInt, to target: CInt, _ allocator: ByteBufferAllocator) -> (
        count: Int, rest: ByteBuffer?
    ) {
        let taken = linux_splice(from, input, Self.portion)
        guard taken > 0 else { return (0, nil) }
        var left = taken
        while left > 0 {
            let given = linux_splice(output, target, left)
            guard given > 0 else { break }
            left -= given
        }
        guard left > 0 else { return (taken, nil) }
        // Nothing may stay: the pipe is the next connection's too.
        var rest = allocator.buffer(capacity: left)
        while left > 0 {
            let size = rest.writeWithUnsafeMutableBytes(minimumWritableBytes: left) {
                max(0, read(output, $0.baseAddress!, left))
            }
            guard size > 0 else { break }
            left -= size
        }
        return (taken, rest)
    }
}
