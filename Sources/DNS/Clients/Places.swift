import Directory

/// How many exchanges of one event loop may ask upstreams at a time, and which holders have them (`Turns`). So a holder
/// that asks for names with silent servers takes half of the places at most, and the others never wait.
final class Places {
    /// The place of an exchange, or its claim to one.
    final class Seat {
        fileprivate var holder: ClientAddress
        /// Nil after its call, or if nobody waits any more.
        fileprivate var begin: (() -> Void)?
        fileprivate var isTaken = false

        /// - Parameter begin: called when the holder may have one more exchange under way.
        init(_ holder: ClientAddress, begin: @escaping () -> Void) {
            self.holder = holder
            self.begin = begin
        }
    }

    private var turns: Turns<ClientAddress, Seat>
    private var isCalling = false

    /// - Parameter most: exchanges under way at a time.
    init(most: Int) { turns = Turns(most: most) }

    var count: Int { turns.count }

    /// Begins now, or when its turn comes.
    func enter(_ place: Seat) {
        if turns.enter(place, of: place.holder) { begin(place) }
    }

    /// Another holder waits for the same exchange. It takes over the place if it may begin at once.
    func join(_ place: Seat, _ holder: ClientAddress) {
        guard !place.isTaken, place.begin != nil, turns.admits(holder) else { return }
        turns.withdraw(place.holder) { $0 === place }
        place.holder = holder
        enter(place)
    }

    /// Harmless if it was left before.
    func leave(_ place: Seat) {
        if place.isTaken {
            place.isTaken = false
            turns.leave(place.holder)
        } else if place.begin != nil {
            turns.withdraw(place.holder) { $0 === place }
        }
        place.begin = nil
        callNext()
    }

    /// Drops all waiting exchanges without a call.
    func stop() { turns.withdrawAll() }

    private func begin(_ place: Seat) {
        place.isTaken = true
        let begin = place.begin
        place.begin = nil
        begin?()
    }

    private func callNext() {
        // An exchange that ends as soon as it begins would call the next one level deeper.
        guard !isCalling else { return }
        isCalling = true
        defer { isCalling = false }
        while let place = turns.next() { begin(place) }
    }
}
