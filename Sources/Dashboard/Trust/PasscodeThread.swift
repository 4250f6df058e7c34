import Dispatch
import Synchronization

/// The one thread that hashes passcodes, so that no event loop waits and memory stays bounded. At most `limit` tries
/// wait; further ones are refused.
final class PasscodeThread: Sendable {
    struct Busy: Error {}

    private let thread = DispatchQueue(label: "passcode")
    private let waiting = Mutex(0)
    private let limit: Int

    init(limit: Int = 16) {
        self.limit = limit
    }

    func hash(_ passcode: String) async throws -> String {
        try await run { try PasscodeHash(passcode).text }
    }

    func matches(_ passcode: String, _ hash: String) async throws -> Bool {
        try await run { try PasscodeHash(text: hash).matches(passcode) }
    }

    private func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        let isAdmitted = waiting.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { throw Busy() }
        defer { waiting.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            thread.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
