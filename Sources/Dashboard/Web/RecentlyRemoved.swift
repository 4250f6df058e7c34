import Policy
import Synchronization

/// What was removed a moment ago, so that the page can offer it back; in memory only, the last one of each person.
/// Instants are seconds of a clock that never goes back.
final class RecentlyRemoved<Item: Identifiable & Sendable>: Sendable {
    /// How long it can be had back, in seconds; the page takes the offer away after 8.
    static var patience: Double { 120 }

    private let items = Mutex<[PersonID: (item: Item, at: Double)]>([:])

    func keep(_ item: Item, of person: PersonID, at now: Double) {
        items.withLock { $0[person] = (item, now) }
    }

    /// The item with this id, if it was the person's last to go and that is not long ago.
    func item(_ id: Item.ID, of person: PersonID, at now: Double) -> Item? {
        items.withLock { $0[person] }.flatMap { entry in
            entry.item.id == id && now - entry.at <= Self.patience ? entry.item : nil
        }
    }
}
