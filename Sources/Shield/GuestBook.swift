package import NIOCore
import Synchronization

/// Counts connections and makes room: a new one always gets in, at the cost of the one that deserves it least.
///
/// Strangers (who have not said whom they want, or who meet the shield) and guests (whom the dashboard has) are
/// counted apart, so that strangers never use up what the dashboard needs.
package final class GuestBook: Sendable {
    package struct Count: Hashable, Sendable {
        package var strangers: Int
        package var guests: Int
    }

    private enum Standing { case undecided, shielded, guest }

    private struct Entry {
        let visit: Visit
        var standing: Standing
    }

    private struct Tally {
        var strangers = 0
        var guests = 0
    }

    private struct Pages {
        var entries: [ObjectIdentifier: Entry] = [:]
        var all = Tally()
        var byAddress: [String: Tally] = [:]
        var isClosed = false
    }

    private let limits: DoorLimits
    private let pages = Mutex(Pages())

    package init(limits: DoorLimits) {
        self.limits = limits
    }

    package var count: Count {
        pages.withLock { Count(strangers: $0.all.strangers, guests: $0.all.guests) }
    }

    /// Every connection that is open now.
    package var visits: [Visit] {
        pages.withLock { $0.entries.values.map(\.visit) }
    }

    /// Takes a new connection in, closing another one where a cap is reached; false once the book is closed.
    package func enter(_ visit: Visit) -> Bool {
        let now = visit.acceptedAt
        let (isIn, evicted) = pages.withLock { pages -> (Bool, Visit?) in
            guard !pages.isClosed else { return (false, nil) }
            let atAddress = pages.byAddress[visit.address]?.strangers ?? 0
            var evicted: Visit?
            if !visit.isLoopback && atAddress >= limits.strangersPerAddress {
                evicted = Self.leastDeserving(pages, at: now) { $0.address == visit.address }
            } else if pages.all.strangers >= limits.strangers {
                evicted = Self.leastDeserving(pages, at: now) { _ in true }
            }
            if let evicted { Self.strike(evicted, from: &pages) }
            pages.entries[ObjectIdentifier(visit)] = Entry(visit: visit, standing: .undecided)
            pages.all.strangers += 1
            pages.byAddress[visit.address, default: Tally()].strangers += 1
            return (true, evicted)
        }
        evicted?.channel.close(promise: nil)
        return isIn
    }

    /// The visit stays a stranger, and has said so.
    package func shield(_ visit: Visit) {
        pages.withLock { $0.entries[ObjectIdentifier(visit)]?.standing = .shielded }
    }

    /// Makes a stranger a guest; false where there is no room among the guests, or the visit has been closed.
    ///
    /// A stream speaks every 15 s, so only a guest that was silent for longer gives its place away.
    package func welcome(_ visit: Visit, at now: NIODeadline) -> Bool {
        let (isIn, evicted) = pages.withLock { pages -> (Bool, Visit?) in
            guard let entry = pages.entries[ObjectIdentifier(visit)] else { return (false, nil) }
            // Every stream of a connection of HTTP/2 comes by here.
            guard entry.standing != .guest else { return (true, nil) }
            let atAddress = pages.byAddress[visit.address]?.guests ?? 0
            var evicted: Visit?
            if !visit.isLoopback && atAddress >= limits.guestsPerAddress {
                evicted = Self.longestIdleGuest(pages, at: now) { $0.address == visit.address }
                if evicted == nil { return (false, nil) }
            } else if pages.all.guests >= limits.guests {
                evicted = Self.longestIdleGuest(pages, at: now) { _ in true }
                if evicted == nil { return (false, nil) }
            }
            if let evicted { Self.strike(evicted, from: &pages) }
            pages.entries[ObjectIdentifier(visit)]?.standing = .guest
            pages.all.strangers -= 1
            pages.all.guests += 1
            pages.byAddress[visit.address, default: Tally()].strangers -= 1
            pages.byAddress[visit.address, default: Tally()].guests += 1
            return (true, evicted)
        }
        evicted?.channel.close(promise: nil)
        return isIn
    }

    /// Strikes a closed connection out; harmless when it was already.
    package func leave(_ visit: Visit) {
        pages.withLock { Self.strike(visit, from: &$0) }
    }

    /// Lets nobody in any more.
    package func close() {
        pages.withLock { $0.isClosed = true }
    }

    private static func strike(_ visit: Visit, from pages: inout Pages) {
        guard let entry = pages.entries.removeValue(forKey: ObjectIdentifier(visit)) else { return }
        var tally = pages.byAddress[visit.address] ?? Tally()
        if entry.standing == .guest {
            pages.all.guests -= 1
            tally.guests -= 1
        } else {
            pages.all.strangers -= 1
            tally.strangers -= 1
        }
        pages.byAddress[visit.address] = tally.guests == 0 && tally.strangers == 0 ? nil : tally
    }

    /// The oldest of those who have not finished a request head; without one, whoever was silent longest.
    private static func leastDeserving(
        _ pages: Pages, at now: NIODeadline, where isMeant: (Visit) -> Bool
    ) -> Visit? {
        var oldest: Visit?
        var silent: (visit: Visit, idle: TimeAmount)?
        for entry in pages.entries.values where entry.standing != .guest && isMeant(entry.visit) {
            if entry.standing == .undecided {
                if oldest.map({ entry.visit.acceptedAt < $0.acceptedAt }) ?? true { oldest = entry.visit }
            } else {
                let idle = entry.visit.idle(at: now)
                if silent.map({ idle > $0.idle }) ?? true { silent = (entry.visit, idle) }
            }
        }
        return oldest ?? silent?.visit
    }

    private static func longestIdleGuest(
        _ pages: Pages, at now: NIODeadline, where isMeant: (Visit) -> Bool
    ) -> Visit? {
        var silent: (visit: Visit, idle: TimeAmount)?
        for entry in pages.entries.values where entry.standing == .guest && isMeant(entry.visit) {
            let idle = entry.visit.idle(at: now)
            if idle > .seconds(20), silent.map({ idle > $0.idle }) ?? true { silent = (entry.visit, idle) }
        }
        return silent?.visit
    }
}
