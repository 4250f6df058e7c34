import Directory

/// How many exchanges of one event loop ask upstreams at a time, and whose.
///
/// Each client may have as many on the way as places are free. Whoever asks for names whose servers are silent has half
/// of them at the most, two such clients a third each: the rest never wait for theirs. What has to wait takes turns.
final class Places {
    /// An exchange's, or its claim to one.
    final class Place {
        fileprivate var holder: ClientAddress
        /// Nil once it was called, or when nobody waits any more.
        fileprivate var begin: (() -> Void)?
        fileprivate var isTaken = false

        /// - Parameter begin: called as soon as the holder may have one more on the way.
        init(_ holder: ClientAddress, begin: @escaping () -> Void) {
            self.holder = holder
            self.begin = begin
        }
    }

    private let most: Int
    private(set) var count = 0
    private var taken: [ClientAddress: Int] = [:]
    private var waiting: [ClientAddress: [Place]] = [:]
    /// Those who wait, in the order of their turns.
    private var turns: [ClientAddress] = []
    private var isCalling = false

    /// - Parameter most: of those that are on the way at a time.
    init(most: Int) { self.most = most }

    /// It begins now, or when its turn comes.
    func enter(_ place: Place) {
        if mayTake(place.holder) { return take(place) }
        if waiting[place.holder] == nil { turns.append(place.holder) }
        waiting[place.holder, default: []].append(place)
    }

    /// Somebody else waits for the same: it becomes theirs where they need not wait for it.
    func join(_ place: Place, _ holder: ClientAddress) {
        guard !place.isTaken, place.begin != nil, mayTake(holder) else { return }
        strike(place)
        place.holder = holder
        take(place)
    }

    /// Harmless when it was left before.
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

    /// Nobody who waits is called any more.
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
        // What ends in the moment in which it begins would call the next one level deeper.
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
