import Policy
import Synchronization

/// The last removed item of each person, so that the page can offer it back; in memory only.
/// Instants are seconds of a clock that never goes back.
final class RecentlyRemoved<Item: Identifiable & Sendable>: Sendable {
    /// How long an item can be restored, in seconds; the page withdraws the offer after 8.
    static var patience: Double { 120 }

    private let items = Mutex<[PersonID: (item: Item, at: Double)]>([:])

    func keep(_ item: Item, of person: PersonID, at now: Double) {
        items.withLock { $0[person] = (item, now) }
    }

    /// The item with this id, if the person removed it last and not long ago.
    func item(_ id: Item.ID, of person: PersonID, at now: Double) -> Item? {
        items.withLock { $0[person] }.flatMap { entry in
            entry.item.id == id && now - entry.at <= Self.patience ? entry.item : nil
        }
    }
}
