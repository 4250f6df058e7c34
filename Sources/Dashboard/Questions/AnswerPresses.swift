import Foundation
import Policy
import Synchronization

/// The answers of the last seconds, so that they can be taken back; in memory only.
final class AnswerPresses: Sendable {
    private let presses = Mutex<[UUID: AnswerPress]>([:])

    func keep(_ press: AnswerPress) {
        presses.withLock {
            $0 = $0.filter { $0.value.secondsLeft(at: press.at) > 0 }
            $0[press.question] = press
        }
    }

    /// Nil once it is too late.
    func press(_ question: UUID, at now: Date) -> AnswerPress? {
        presses.withLock { $0[question] }.flatMap { $0.secondsLeft(at: now) > 0 ? $0 : nil }
    }

    func forget(_ question: UUID) { presses.withLock { $0[question] = nil } }
}
