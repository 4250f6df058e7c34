import Foundation
import Policy
import Synchronization

/// What was removed a moment ago, so that the page can offer it back; in memory only, the last one of each person.
final class RecentlyRemoved<Item: Identifiable & Sendable>: Sendable {
    /// How long it can be had back, in seconds; the page takes the offer away after 8.
    static var patience: TimeInterval { 120 }

    private let items = Mutex<[PersonID: (item: Item, at: Date)]>([:])

    func keep(_ item: Item, of person: PersonID, at now: Date) {
        items.withLock { $0[person] = (item, now) }
    }

    /// The item with this id, if it was the person's last to go and that is not long ago.
    func item(_ id: Item.ID, of person: PersonID, at now: Date) -> Item? {
        items.withLock { $0[person] }.flatMap { entry in
            let age = now.timeIntervalSince(entry.at)
            return entry.item.id == id && (0...Self.patience).contains(age) ? entry.item : nil
        }
    }
}
