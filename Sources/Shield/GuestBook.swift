import Directory
package import NIOCore
import Policy
import Synchronization

/// Counts connections and makes room: a new one always gets in. A holder at its own limit loses one of its connections;
/// if a room is full, a holder with the most connections there loses one. That is the oldest without a complete request
/// head, else the longest silent one, even if all are active.
///
/// There are four rooms, so that no kind of connection uses up the places of another: strangers (no Host named yet, or
/// the shield), guests (the dashboard), connections to a way out (Help, Emergency Reset), and relayed connections.
package final class GuestBook: Sendable {
    package struct Count: Hashable, Sendable {
        package var strangers: Int
        package var guests: Int
        package var passing = 0
        package var leaving = 0
    }

    fileprivate enum Room: Int, CaseIterable { case strangers, guests, leaving, passing }

    private struct Entry {
        let visit: Visit
        var room: Room
        /// Whether it has named its Host.
        var isDecided: Bool
    }

    private struct Tally {
        private var counts = [Int](repeating: 0, count: Room.allCases.count)

        subscript(room: Room) -> Int {
            get { counts[room.rawValue] }
            set { counts[room.rawValue] = newValue }
        }

        var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }
    }

    private struct Pages {
        var entries: [ObjectIdentifier: Entry] = [:]
        var all = Tally()
        var byHolder: [Holder: Tally] = [:]
        var isClosed = false
    }

    private let limits: DoorLimits
    private let pages = Mutex(Pages())

    package init(limits: DoorLimits) {
        self.limits = limits
    }

    package var count: Count {
        pages.withLock {
            Count(
                strangers: $0.all[.strangers], guests: $0.all[.guests], passing: $0.all[.passing],
                leaving: $0.all[.leaving])
        }
    }

    /// Every open connection but streams that go on without HTTP.
    package var visits: [Visit] {
        pages.withLock { $0.entries.values.map(\.visit) }
    }

    /// Adds a new connection; false if the book is closed.
    package func enter(_ visit: Visit) -> Bool {
        let (isIn, evicted) = pages.withLock { pages -> (Bool, Visit?) in
            guard !pages.isClosed else { return (false, nil) }
            return (true, write(visit, into: .strangers, isDecided: false, &pages, at: visit.acceptedAt))
        }
        evicted?.cut()
        return isIn
    }

    /// Makes a connection a stranger that has named its Host. A connection that could not be relayed becomes one too.
    package func shield(_ visit: Visit, at now: NIODeadline) {
        _ = move(visit, to: .strangers, at: now)
    }

    /// Makes a stranger a guest; false if the connection was closed.
    ///
    /// Every stream of an HTTP/2 connection passes here; a connection of the dashboard stays in its room.
    /// - Parameter isLeaving: it asks for a way out of a block.
    package func welcome(_ visit: Visit, isLeaving: Bool = false, at now: NIODeadline) -> Bool {
        move(visit, to: isLeaving ? .leaving : .guests, at: now, from: [.strangers])
    }

    /// Marks a stranger as relayed to another host; false if the connection was closed.
    package func letPass(_ visit: Visit, at now: NIODeadline) -> Bool {
        move(visit, to: .passing, at: now)
    }

    private func move(
        _ visit: Visit, to room: Room, at now: NIODeadline, from rooms: [Room] = Room.allCases
    ) -> Bool {
        let (isIn, evicted) = pages.withLock { pages -> (Bool, Visit?) in
            guard let entry = pages.entries[ObjectIdentifier(visit)] else { return (false, nil) }
            guard rooms.contains(entry.room) else { return (true, nil) }
            Self.strike(visit, from: &pages)
            return (true, write(visit, into: room, isDecided: true, &pages, at: now))
        }
        evicted?.cut()
        return isIn
    }

    /// Puts a connection into a room. Returns the connection that must close to make room; nil: none.
    private func write(
        _ visit: Visit, into room: Room, isDecided: Bool, _ pages: inout Pages, at now: NIODeadline
    ) -> Visit? {
        let bounds = limits.bounds(of: room)
        var evicted: Visit?
        if !visit.isShared && pages.byHolder[visit.holder]?[room] ?? 0 >= bounds.ofOneHolder {
            evicted = Self.leastDeserving(room, pages, at: now) { $0 == visit.holder }
        } else if pages.all[room] >= bounds.all {
            let most = pages.byHolder.values.reduce(0) { max($0, $1[room]) }
            evicted = Self.leastDeserving(room, pages, at: now) { pages.byHolder[$0]?[room] == most }
        }
        if let evicted { Self.strike(evicted, from: &pages) }
        pages.entries[ObjectIdentifier(visit)] = Entry(visit: visit, room: room, isDecided: isDecided)
        pages.all[room] += 1
        pages.byHolder[visit.holder, default: Tally()][room] += 1
        return evicted
    }

    /// Removes a closed connection; safe to call twice.
    package func leave(_ visit: Visit) {
        pages.withLock { Self.strike(visit, from: &$0) }
    }

    /// Admits no more connections.
    package func close() {
        pages.withLock { $0.isClosed = true }
    }

    private static func strike(_ visit: Visit, from pages: inout Pages) {
        guard let entry = pages.entries.removeValue(forKey: ObjectIdentifier(visit)) else { return }
        var tally = pages.byHolder[visit.holder] ?? Tally()
        pages.all[entry.room] -= 1
        tally[entry.room] -= 1
        pages.byHolder[visit.holder] = tally.isEmpty ? nil : tally
    }

    /// Among some holders' connections: the oldest without a complete request head, else the longest silent one.
    private static func leastDeserving(
        _ room: Room, _ pages: Pages, at now: NIODeadline, among isMeant: (Holder) -> Bool
    ) -> Visit? {
        var oldest: Visit?
        var silent: (visit: Visit, idle: TimeAmount)?
        for entry in pages.entries.values where entry.room == room && isMeant(entry.visit.holder) {
            if entry.isDecided {
                let idle = entry.visit.idle(at: now)
                if silent.map({ idle > $0.idle }) ?? true { silent = (entry.visit, idle) }
            } else if oldest.map({ entry.visit.acceptedAt < $0.acceptedAt }) ?? true {
                oldest = entry.visit
            }
        }
        return oldest ?? silent?.visit
    }
}

extension DoorLimits {
    fileprivate func bounds(of room: GuestBook.Room) -> (all: Int, ofOneHolder: Int) {
        switch room {
        case .strangers: (strangers, strangersPerHolder)
        case .guests: (guests, guestsPerHolder)
        case .leaving: (leaving, leavingPerHolder)
        case .passing: (passing, passingPerHolder)
        }
    }
}
