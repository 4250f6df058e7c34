import Directory
package import NIOCore
import Policy
import Synchronization

/// Counts connections and makes room: a new one always gets in. A holder at its own limit loses one of its connections;
/// if a room is full, a holder with the most connections there loses one. That is the oldest without a complete request
/// head, else the longest silent one, even if all are active.
///
/// There are four rooms, so that no kind of connection uses up the places of another: strangers (no Host named yet, or
/// the shield), guests (the dashboard), connections to a way out (Help, Emergency Reset), and relayed connections. The
/// streams of HTTP/2 connections are counted besides.
package final class GuestBook: Sendable {
    package struct Count: Hashable, Sendable {
        package var strangers: Int
        package var guests: Int
        package var passing = 0
        package var leaving = 0
    }

    fileprivate enum Room: Int, CaseIterable { case strangers, guests, leaving, passing }

    private struct Entry {
        let visit: AcceptedConnection
        var room: Room
        /// Whether it has named its Host.
        var isDecided: Bool
        /// Open streams of HTTP/2.
        var streams = 0
    }

    private struct Pages {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// By room.
        var places: [Allowance<Holder>]
        var streams: Allowance<Holder>
        var isClosed = false

        subscript(room: Room) -> Allowance<Holder> {
            get { places[room.rawValue] }
            set { places[room.rawValue] = newValue }
        }
    }

    private let pages: Mutex<Pages>

    package init(limits: DoorLimits) {
        pages = Mutex(
            Pages(
                places: Room.allCases.map(limits.places),
                streams: Allowance(all: limits.requestStreams, each: limits.requestStreamsPerHolder)))
    }

    package var count: Count {
        pages.withLock {
            Count(
                strangers: $0[.strangers].count, guests: $0[.guests].count, passing: $0[.passing].count,
                leaving: $0[.leaving].count)
        }
    }

    /// Every open connection but streams that go on without HTTP.
    package var visits: [AcceptedConnection] {
        pages.withLock { $0.entries.values.map(\.visit) }
    }

    /// Adds a new connection; false if the book is closed.
    package func enter(_ visit: AcceptedConnection) -> Bool {
        let (isIn, evicted) = pages.withLock { pages -> (Bool, AcceptedConnection?) in
            guard !pages.isClosed else { return (false, nil) }
            return (true, write(visit, into: .strangers, isDecided: false, &pages, at: visit.acceptedAt))
        }
        evicted?.cut()
        return isIn
    }

    /// Makes a connection a stranger that has named its Host. A connection that could not be relayed becomes one too.
    package func shield(_ visit: AcceptedConnection, at now: NIODeadline) {
        _ = move(visit, to: .strangers, at: now)
    }

    /// Makes a stranger a guest; false if the connection was closed.
    ///
    /// Every stream of an HTTP/2 connection passes here; a connection of the dashboard stays in its room.
    /// - Parameter isLeaving: it asks for a way out of a block.
    package func welcome(_ visit: AcceptedConnection, isLeaving: Bool = false, at now: NIODeadline) -> Bool {
        move(visit, to: isLeaving ? .leaving : .guests, at: now, from: [.strangers])
    }

    /// Marks a stranger as relayed to another host; false if the connection was closed.
    package func letPass(_ visit: AcceptedConnection, at now: NIODeadline) -> Bool {
        move(visit, to: .passing, at: now)
    }

    private func move(
        _ visit: AcceptedConnection, to room: Room, at now: NIODeadline, from rooms: [Room] = Room.allCases
    ) -> Bool {
        let (isIn, evicted) = pages.withLock { pages -> (Bool, AcceptedConnection?) in
            guard let entry = pages.entries[ObjectIdentifier(visit)] else { return (false, nil) }
            guard rooms.contains(entry.room) else { return (true, nil) }
            Self.strike(visit, from: &pages)
            let evicted = write(visit, into: room, isDecided: true, &pages, at: now)
            pages.entries[ObjectIdentifier(visit)]?.streams = entry.streams
            pages.streams.add(entry.streams, to: visit.holder)
            return (true, evicted)
        }
        evicted?.cut()
        return isIn
    }

    /// Puts a connection into a room. Returns the connection that must close to make room; nil: none.
    private func write(
        _ visit: AcceptedConnection, into room: Room, isDecided: Bool, _ pages: inout Pages,
        at now: NIODeadline
    ) -> AcceptedConnection? {
        let givers = pages[room].givers(for: visit.holder, isShared: visit.isShared)
        let evicted = givers.flatMap { givers in
            Self.leastDeserving(pages, at: now) { $0.room == room && givers.contains($0.visit.holder) }
        }
        if let evicted { Self.strike(evicted, from: &pages) }
        pages.entries[ObjectIdentifier(visit)] = Entry(visit: visit, room: room, isDecided: isDecided)
        pages[room].add(1, to: visit.holder)
        return evicted
    }

    /// Counts one more stream of an HTTP/2 connection; false if it is refused, or if the connection was closed. A holder
    /// at its own limit is refused; if there are too many in all, a holder with the most loses a connection.
    package func openStream(_ visit: AcceptedConnection, at now: NIODeadline) -> Bool {
        let (isIn, evicted) = pages.withLock { pages -> (Bool, AcceptedConnection?) in
            guard pages.entries[ObjectIdentifier(visit)] != nil else { return (false, nil) }
            let givers = pages.streams.givers(for: visit.holder, isShared: visit.isShared) ?? []
            guard !givers.contains(visit.holder) else { return (false, nil) }
            let evicted =
                givers.isEmpty
                ? nil
                : Self.leastDeserving(pages, at: now) {
                    $0.streams > 0 && givers.contains($0.visit.holder)
                }
            if let evicted { Self.strike(evicted, from: &pages) }
            pages.entries[ObjectIdentifier(visit)]?.streams += 1
            pages.streams.add(1, to: visit.holder)
            return (true, evicted)
        }
        evicted?.cut()
        return isIn
    }

    package func closeStream(_ visit: AcceptedConnection) {
        pages.withLock { pages in
            guard pages.entries[ObjectIdentifier(visit)]?.streams ?? 0 > 0 else { return }
            pages.entries[ObjectIdentifier(visit)]?.streams -= 1
            pages.streams.giveBack(visit.holder)
        }
    }

    /// Removes a closed connection; safe to call twice.
    package func leave(_ visit: AcceptedConnection) {
        pages.withLock { Self.strike(visit, from: &$0) }
    }

    /// Admits no more connections.
    package func close() {
        pages.withLock { $0.isClosed = true }
    }

    private static func strike(_ visit: AcceptedConnection, from pages: inout Pages) {
        guard let entry = pages.entries.removeValue(forKey: ObjectIdentifier(visit)) else { return }
        pages[entry.room].giveBack(visit.holder)
        pages.streams.add(-entry.streams, to: visit.holder)
    }

    /// Among some connections: the oldest without a complete request head, else the longest silent one.
    private static func leastDeserving(
        _ pages: Pages, at now: NIODeadline, among isMeant: (Entry) -> Bool
    ) -> AcceptedConnection? {
        var oldest: AcceptedConnection?
        var silent: (visit: AcceptedConnection, idle: TimeAmount)?
        for entry in pages.entries.values where isMeant(entry) {
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
    fileprivate func places(in room: GuestBook.Room) -> Allowance<Holder> {
        switch room {
        case .strangers: Allowance(all: strangers, each: strangersPerHolder)
        case .guests: Allowance(all: guests, each: guestsPerHolder)
        case .leaving: Allowance(all: leaving, each: leavingPerHolder)
        case .passing: Allowance(all: passing, each: passingPerHolder)
        }
    }
}
