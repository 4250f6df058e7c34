import Synchronization

/// So many at a time: in all, and for each holder. The one count behind connections, streams, viewers, questions and
/// new devices. It only counts; what happens at the bound is up to its owner: refuse, let another one give way, or wait
/// for a turn (`Turns`).
package struct Allowance<Key: Hashable & Sendable>: Sendable {
    package let all: Int
    /// Nil: as many as are free for everybody. So one greedy holder gets half, and two get a third each; the others
    /// never find it full.
    package let each: Int?
    package private(set) var count = 0
    private var taken: [Key: Int] = [:]

    package init(all: Int = .max, each: Int? = nil) {
        self.all = all
        self.each = each
    }

    /// How many a holder has.
    package subscript(key: Key) -> Int { taken[key, default: 0] }

    /// Whether a holder may have one more.
    package func admits(_ key: Key) -> Bool { count < all && self[key] < each ?? all - count }

    /// Takes one; false if none is left, in all or for this holder.
    package mutating func take(_ key: Key) -> Bool {
        guard admits(key) else { return false }
        add(1, to: key)
        return true
    }

    /// Counts some more, whatever the bounds say.
    package mutating func add(_ number: Int, to key: Key) {
        guard number != 0 else { return }
        count += number
        let now = self[key] + number
        taken[key] = now > 0 ? now : nil
    }

    package mutating func giveBack(_ key: Key) { add(-1, to: key) }

    /// The holders of which one must give something up before this one gets one more; nil: none must.
    /// - Parameter isShared: whether many devices use this holder's name, so that only the bound in all holds.
    package func givers(for key: Key, isShared: Bool = false) -> Set<Key>? {
        if !isShared, let each, self[key] >= each { return [key] }
        guard count >= all, let most = taken.values.max() else { return nil }
        return Set(taken.filter { $0.value == most }.keys)
    }
}

/// An allowance that several threads use.
package final class SharedAllowance<Key: Hashable & Sendable>: Sendable {
    private let allowance: Mutex<Allowance<Key>>

    package init(all: Int, each: Int) { allowance = Mutex(Allowance(all: all, each: each)) }

    package func take(_ key: Key) -> Bool { allowance.withLock { $0.take(key) } }

    package func giveBack(_ key: Key) { allowance.withLock { $0.giveBack(key) } }
}
