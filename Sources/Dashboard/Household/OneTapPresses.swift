import Foundation
import Policy
import Synchronization

/// Each person's last press, for Undo; in memory only.
final class OneTapPresses: Sendable {
    private let presses = Mutex<[PersonID: OneTapPress]>([:])

    func keep(_ new: [OneTapPress]) {
        presses.withLock { for press in new { $0[press.person] = press } }
    }

    /// What one press did that is still its people's last, in the order of people; empty if nothing is.
    func presses(_ id: UUID) -> [OneTapPress] {
        presses.withLock { $0.values.filter { $0.id == id } }.sorted { $0.person < $1.person }
    }

    func last(on person: PersonID) -> OneTapPress? { presses.withLock { $0[person] } }

    /// The newest press of a presser, for everybody whom it was about; nil if there is none.
    func latest(by presser: String) -> [OneTapPress]? {
        let all = presses.withLock { Array($0.values) }.filter { $0.presser == presser }
        return all.max { $0.at < $1.at }.map { presses($0.id) }
    }

    func forget(_ gone: [OneTapPress]) {
        presses.withLock { for press in gone where $0[press.person] == press { $0[press.person] = nil } }
    }
}
