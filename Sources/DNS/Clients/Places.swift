import Directory

/// How many exchanges of one event loop may ask upstreams at a time, and which holders have them.
///
/// Each holder may have as many exchanges under way as places are free. So a holder that asks for names with silent
/// servers takes half of the places at most, and two such holders take a third each. The others never wait. Holders
/// that must wait take turns.
final class Places {
    /// The place of an exchange, or its claim to one.
    final class Place {
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

    private let most: Int
    private(set) var count = 0
    private var taken: [ClientAddress: Int] = [:]
    private var waiting: [ClientAddress: [Place]] = [:]
    /// The holders that wait, in the order of their turns.
    private var turns: [ClientAddress] = []
    private var isCalling = false

    /// - Parameter most: exchanges under way at a time.
    init(most: Int) { self.most = most }

    /// Begins now, or when its turn comes.
    func enter(_ place: Place) {
        if mayTake(place.holder) { return take(place) }
        if waiting[place.holder] == nil { turns.append(place.holder) }
        waiting[place.holder, default: []].append(place)
    }

    /// Another holder waits for the same exchange. It takes over the place if it may begin at once.
    func join(_ place: Place, _ holder: ClientAddress) {
        guard !place.isTaken, place.begin != nil, mayTake(holder) else { return }
        strike(place)
        place.holder = holder
        take(place)
    }

    /// Harmless if it was left before.
    func leave(_ place: Place) {
        if place.isTaken {
            place.isTaken = false
            count -= 1
            let left = taken[place.holder, default: 1] - 1
            taken[place.holder] = left > 0 ? left : nil
        } else if place.begin != nil {
            strike(place)
        }
        place.begin = nil
        callNext()
    }

    /// Drops all waiting exchanges without a call.
    func stop() {
        waiting.removeAll()
        turns.removeAll()
    }

    private func mayTake(_ holder: ClientAddress) -> Bool { taken[holder, default: 0] < most - count }

    private func take(_ place: Place) {
        place.isTaken = true
        count += 1
        taken[place.holder, default: 0] += 1
        let begin = place.begin
        place.begin = nil
        begin?()
    }

    private func strike(_ place: Place) {
        waiting[place.holder]?.removeAll { $0 === place }
        forgetIfNoneWaits(place.holder)
    }

    private func forgetIfNoneWaits(_ holder: ClientAddress) {
        guard waiting[holder]?.isEmpty ?? false else { return }
        waiting[holder] = nil
        turns.removeAll { $0 == holder }
    }

    private func callNext() {
        // An exchange that ends as soon as it begins would call the next one level deeper.
        guard !isCalling else { return }
        isCalling = true
        defer { isCalling = false }
        while let index = turns.firstIndex(where: mayTake) {
            let holder = turns.remove(at: index)
            turns.append(holder)
            guard let place = waiting[holder]?.removeFirst() else { break }
            forgetIfNoneWaits(holder)
            take(place)
        }
    }
}
