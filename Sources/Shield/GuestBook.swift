package import NIOCore
import Synchronization

/// Counts connections and makes room: a new one always gets in, at the cost of the one that deserves it least.
///
/// Strangers (who have not said whom they want, or who meet the shield), guests (whom the dashboard has) and those who
/// are only passing (to the host that they named) are counted apart, so that none uses up what the others need.
package final class GuestBook: Sendable {
    package struct Count: Hashable, Sendable {
        package var strangers: Int
        package var guests: Int
        package var passing = 0
    }

    private enum Standing {
        case undecided, shielded, guest, passing

        var room: Room {
            switch self {
            case .undecided, .shielded: .strangers
            case .guest: .guests
            case .passing: .passing
            }
        }
    }

    private enum Room: Int, CaseIterable { case strangers, guests, passing }

    private struct Entry {
        let visit: Visit
        var standing: Standing
    }

    private struct Tally {
        private var counts = [0, 0, 0]

        subscript(room: Room) -> Int {
            get { counts[room.rawValue] }
            set { counts[room.rawValue] = newValue }
        }

        var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }
    }

    private struct Pages {
        var entries: [ObjectIdentifier: Entry] = [:]
        var all = Tally()
        var byAddress: [String: Tally] = [:]
        var isClosed = false
    }

    /// Who was silent for longer may give its place away; streams speak every 15 s.
    private static let patience = TimeAmount.seconds(20)

    private let limits: DoorLimits
    private let pages = Mutex(Pages())

    package init(limits: DoorLimits) {
        self.limits = limits
    }

    package var count: Count {
        pages.withLock {
            Count(strangers: $0.all[.strangers], guests: $0.all[.guests], passing: $0.all[.passing])
        }
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
            let atAddress = pages.byAddress[visit.address]?[.strangers] ?? 0
            var evicted: Visit?
            if !visit.isLoopback && atAddress >= limits.strangersPerAddress {
                evicted = Self.leastDeserving(pages, at: now) { $0.address == visit.address }
            } else if pages.all[.strangers] >= limits.strangers {
                evicted = Self.leastDeserving(pages, at: now) { _ in true }
            }
            if let evicted { Self.strike(evicted, from: &pages) }
            pages.entries[ObjectIdentifier(visit)] = Entry(visit: visit, standing: .undecided)
            pages.all[.strangers] += 1
            pages.byAddress[visit.address, default: Tally()][.strangers] += 1
            return (true, evicted)
        }
        evicted?.channel.close(promise: nil)
        return isIn
    }

    /// The visit stays a stranger, and has said so; or becomes one again, where it could not pass.
    package func shield(_ visit: Visit) {
        pages.withLock { pages in
            guard let entry = pages.entries[ObjectIdentifier(visit)] else { return }
            if entry.standing.room != .strangers {
                Self.strike(visit, from: &pages)
                pages.all[.strangers] += 1
                pages.byAddress[visit.address, default: Tally()][.strangers] += 1
            }
            pages.entries[ObjectIdentifier(visit)] = Entry(visit: visit, standing: .shielded)
        }
    }

    /// Makes a stranger a guest; false where there is no room among the guests, or the visit has been closed.
    package func welcome(_ visit: Visit, at now: NIODeadline) -> Bool {
        // Every stream of a connection of HTTP/2 comes by here.
        move(visit, to: .guest, at: now, limits.guests, limits.guestsPerAddress)
    }

    /// Lets a stranger pass on to another host; false where too many do, or the visit has been closed.
    package func letPass(_ visit: Visit, at now: NIODeadline) -> Bool {
        move(visit, to: .passing, at: now, limits.passing, limits.passingPerAddress)
    }

    private func move(
        _ visit: Visit, to standing: Standing, at now: NIODeadline, _ most: Int, _ mostPerAddress: Int
    ) -> Bool {
        let room = standing.room
        let (isIn, evicted) = pages.withLock { pages -> (Bool, Visit?) in
            guard let entry = pages.entries[ObjectIdentifier(visit)] else { return (false, nil) }
            guard entry.standing.room != room else { return (true, nil) }
            let atAddress = pages.byAddress[visit.address]?[room] ?? 0
            var evicted: Visit?
            if !visit.isLoopback && atAddress >= mostPerAddress {
                evicted = Self.longestIdle(room, pages, at: now) { $0.address == visit.address }
                if evicted == nil { return (false, nil) }
            } else if pages.all[room] >= most {
                evicted = Self.longestIdle(room, pages, at: now) { _ in true }
                if evicted == nil { return (false, nil) }
            }
            if let evicted { Self.strike(evicted, from: &pages) }
            Self.strike(visit, from: &pages)
            pages.entries[ObjectIdentifier(visit)] = Entry(visit: visit, standing: standing)
            pages.all[room] += 1
            pages.byAddress[visit.address, default: Tally()][room] += 1
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
        pages.all[entry.standing.room] -= 1
        tally[entry.standing.room] -= 1
        pages.byAddress[visit.address] = tally.isEmpty ? nil : tally
    }

    /// The oldest of those who have not finished a request head; without one, whoever was silent longest.
    private static func leastDeserving(
        _ pages: Pages, at now: NIODeadline, where isMeant: (Visit) -> Bool
    ) -> Visit? {
        var oldest: Visit?
        var silent: (visit: Visit, idle: TimeAmount)?
        for entry in pages.entries.values
        where entry.standing.room == .strangers && isMeant(entry.visit) {
            if entry.standing == .undecided {
                if oldest.map({ entry.visit.acceptedAt < $0.acceptedAt }) ?? true { oldest = entry.visit }
            } else {
                let idle = entry.visit.idle(at: now)
                if silent.map({ idle > $0.idle }) ?? true { silent = (entry.visit, idle) }
            }
        }
        return oldest ?? silent?.visit
    }

    private static func longestIdle(
        _ room: Room, _ pages: Pages, at now: NIODeadline, where isMeant: (Visit) -> Bool
    ) -> Visit? {
        var silent: (visit: Visit, idle: TimeAmount)?
        for entry in pages.entries.values where entry.standing.room == room && isMeant(entry.visit) {
            let idle = entry.visit.idle(at: now)
            if idle > patience, silent.map({ idle > $0.idle }) ?? true { silent = (entry.visit, idle) }
        }
        return silent?.visit
    }
}
