import Policy
import Store
import Synchronization

/// Everybody's morning, read from the store after each change, because the shield's pages must not wait for it.
final class Mornings: Sendable {
    private let store: HouseholdStore
    private let known = Mutex<[PersonID: Morning]>([:])

    init(_ store: HouseholdStore) { self.store = store }

    /// The present morning, or the morning after the night that runs.
    subscript(person: PersonID) -> Morning? { known.withLock { $0[person] } }

    func read(_ snapshot: Snapshot) {
        let household = snapshot.household
        let mornings = household.people.reduce(into: [:]) { mornings, person in
            mornings[person.id] = try? store.morning(of: person, in: household.zone, at: snapshot.instant)
        }
        known.withLock { $0 = mornings }
    }
}
