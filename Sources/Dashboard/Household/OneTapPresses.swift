import Foundation
import Policy
import Synchronization

/// Each person's last press, for Undo; in memory only.
final class OneTapPresses: Sendable {
    private let presses = Mutex<[PersonID: OneTapPress]>([:])

    func keep(_ press: OneTapPress) { presses.withLock { $0[press.person] = press } }

    func press(_ id: UUID) -> OneTapPress? {
        presses.withLock { $0.values.first { $0.id == id } }
    }

    /// All presses of a button, by its id or by that of a single press; by person.
    func presses(of button: UUID) -> [OneTapPress] {
        presses.withLock { presses in
            presses.values.filter { $0.id == button || $0.button == button }
        }.sorted { $0.person.rawValue < $1.person.rawValue }
    }

    func last(on person: PersonID) -> OneTapPress? { presses.withLock { $0[person] } }

    func forget(_ id: UUID) { presses.withLock { $0 = $0.filter { $0.value.id != id } } }
}
