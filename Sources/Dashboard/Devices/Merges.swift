import Foundation
import Policy
import Synchronization

/// The last merge of each device, so that it can be undone. In memory only: after a restart it cannot be undone.
final class Merges: Sendable {
    private let merges = Mutex<[DeviceID: Merge]>([:])

    func keep(_ merge: Merge) {
        merges.withLock { known in
            known = known.filter { merge.at.timeIntervalSince($0.value.at) < Merge.lifetime }
            known[merge.known.id] = merge
        }
    }

    func forget(_ device: DeviceID) { merges.withLock { $0[device] = nil } }

    func merge(into device: DeviceID) -> Merge? { merges.withLock { $0[device] } }

    /// The merges that can be undone now.
    func undoable(in household: Household, at now: Date) -> [DeviceID: Merge] {
        merges.withLock { $0 }.filter { household.isUndoable($0.value, at: now) }
    }
}
