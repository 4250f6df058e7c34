/// Who may begin now, and who waits. Each holder may have as many under way as places are free, so that the others find
/// one free. Holders that wait take turns, and the claims of one holder come in their order.
package struct Turns<Key: Hashable & Sendable, Claim> {
    private var taken: Allowance<Key>
    private var waiting: [Key: ArraySlice<Claim>] = [:]
    /// The holders that wait, in the order of their turns.
    private var order: [Key] = []

    /// - Parameter most: claims under way at a time.
    package init(most: Int) { taken = Allowance(all: most) }

    /// Claims under way.
    package var count: Int { taken.count }

    /// Whether a holder's claim may begin at once.
    package func admits(_ key: Key) -> Bool { taken.admits(key) }

    /// True: the claim begins now, and has a place. Otherwise it waits until `next` returns it.
    package mutating func enter(_ claim: Claim, of key: Key) -> Bool {
        if taken.take(key) { return true }
        if waiting[key] == nil { order.append(key) }
        waiting[key, default: []].append(claim)
        return false
    }

    /// Gives the place of a holder's claim back; then ask for `next`.
    package mutating func leave(_ key: Key) { taken.giveBack(key) }

    /// The claim that begins now; nil if nobody waits who may begin.
    package mutating func next() -> Claim? {
        guard let index = order.firstIndex(where: taken.admits) else { return nil }
        let key = order.remove(at: index)
        let claim = waiting[key]?.popFirst()
        if waiting[key]?.isEmpty ?? true { waiting[key] = nil } else { order.append(key) }
        if claim != nil { taken.add(1, to: key) }
        return claim
    }

    /// Takes waiting claims of a holder out.
    package mutating func withdraw(_ key: Key, where isMeant: (Claim) -> Bool) {
        waiting[key]?.removeAll(where: isMeant)
        guard waiting[key]?.isEmpty ?? false else { return }
        waiting[key] = nil
        order.removeAll { $0 == key }
    }

    /// Takes all waiting claims out.
    package mutating func withdrawAll() {
        waiting.removeAll()
        order.removeAll()
    }
}

extension Turns: Sendable where Claim: Sendable {}
