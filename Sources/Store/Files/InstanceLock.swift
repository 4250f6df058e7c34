import Foundation

/// One process at a time: an advisory lock on `DIR/lock`, which holds our process id.
///
/// The kernel releases it however the process ends, so nobody ever has to clean up.
final class InstanceLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock without waiting; throws `.alreadyRunning` with the other's process id.
    init(directory: String) throws(StoreError) {
        let path = directory + "/lock"
        let writable = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let number = errno
        // On a read-only disk the lock can still be taken.
        descriptor = writable < 0 && number == EROFS ? open(path, O_RDONLY | O_CLOEXEC) : writable
        guard descriptor >= 0 else { throw StoreError.file(path, number) }
        giveToOwnerOfFolder(path)
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            let other = Self.processID(in: descriptor)
            close(descriptor)
            guard number == EWOULDBLOCK else { throw StoreError.system(path, number) }
            throw .alreadyRunning(pid: other)
        }
        let text = Array("\(getpid())\n".utf8)
        // A full disk may refuse the process id; the lock holds all the same.
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    /// Unlocks explicitly: a child process that just starts may hold a copy of the descriptor a moment longer.
    deinit {
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    private static func processID(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
