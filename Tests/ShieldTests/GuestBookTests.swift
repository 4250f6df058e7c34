import Directory
import NIOCore
import NIOEmbedded
import Policy
import Testing

@testable import Shield

@Suite struct GuestBookTests {
    private static func limits() -> DoorLimits {
        var limits = DoorLimits()
        limits.strangers = 4
        limits.strangersPerHolder = 2
        limits.guests = 3
        limits.guestsPerHolder = 2
        limits.leaving = 2
        limits.leavingPerHolder = 1
        limits.passing = 3
        limits.passingPerHolder = 2
        limits.requestStreams = 5
        limits.requestStreamsPerHolder = 3
        return limits
    }

    private let book = GuestBook(limits: limits())

    private func visit(_ address: String, of holder: Holder? = nil, at seconds: Int64) throws
        -> AcceptedConnection
    {
        let channel = EmbeddedChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
        return AcceptedConnection(channel: channel, now: Self.time(seconds), holder: { holder ?? Holder($0) })
    }

    private static func time(_ seconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(0) + .seconds(seconds)
    }

    @Test func oldestUndecidedOfAnAddressGivesWay() throws {
        let visits = try (0..<3).map { try visit("192.168.1.9", at: $0) }
        for visit in visits { #expect(book.enter(visit)) }
        #expect(visits.map(\.channel.isActive) == [false, true, true])
        #expect(book.count == GuestBook.Count(strangers: 2, guests: 0))
    }

    /// Every HTTP/2 stream is welcomed separately.
    @Test func whoIsWelcomedAgainIsOneGuest() throws {
        let visit = try visit("192.168.1.9", at: 0)
        #expect(book.enter(visit))
        for second in 1...5 { #expect(book.welcome(visit, at: Self.time(Int64(second)))) }
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 1))
        book.leave(visit)
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 0))
    }

    private func guest(_ address: String, at seconds: Int64, streams: Int) throws -> AcceptedConnection {
        let visit = try visit(address, at: seconds)
        #expect(book.enter(visit) && book.welcome(visit, at: Self.time(seconds)))
        for _ in 0..<streams { #expect(book.openStream(visit, at: Self.time(seconds))) }
        return visit
    }

    @Test func aHolderAtItsLimitIsRefusedMoreStreams() throws {
        let first = try guest("192.168.1.9", at: 0, streams: 2)
        let second = try guest("192.168.1.9", at: 1, streams: 1)
        #expect(!book.openStream(second, at: Self.time(2)))
        #expect(first.channel.isActive && second.channel.isActive)
        book.closeStream(first)
        #expect(book.openStream(second, at: Self.time(2)))
        book.leave(second)
        #expect(!book.openStream(second, at: Self.time(2)), "it is gone")
        for _ in 0..<2 { #expect(book.openStream(first, at: Self.time(2))) }
    }

    @Test func whoHasTheMostStreamsMakesRoomForOthers() throws {
        let greedy = try guest("192.168.1.9", at: 0, streams: 3)
        let other = try guest("192.168.1.8", at: 1, streams: 2)
        let newcomer = try guest("192.168.1.7", at: 2, streams: 1)
        #expect([greedy, other, newcomer].map(\.channel.isActive) == [false, true, true])
        for _ in 0..<2 { #expect(book.openStream(newcomer, at: Self.time(3))) }
        book.leave(other)
        #expect(!book.openStream(newcomer, at: Self.time(3)), "three are all of one holder's")
    }

    @Test func loopbackHasNoCapOfItsOwn() throws {
        let visits = try (0..<5).map { try visit("127.0.0.1", at: $0) }
        for visit in visits { #expect(book.enter(visit)) }
        #expect(visits.map(\.channel.isActive) == [false, true, true, true, true])
    }

    @Test func undecidedGiveWayBeforeShielded() throws {
        let visits = try (0..<5).map { try visit("192.168.1.\($0)", at: $0) }
        for visit in visits[..<4] { #expect(book.enter(visit)) }
        book.shield(visits[0], at: Self.time(4))
        #expect(book.enter(visits[4]))
        #expect(visits.map(\.channel.isActive) == [true, false, true, true, true])
    }

    @Test func longestSilentShieldedGivesWay() throws {
        let visits = try (0..<5).map { try visit("192.168.1.\($0)", at: $0) }
        for visit in visits[..<4] {
            #expect(book.enter(visit))
            book.shield(visit, at: visit.acceptedAt)
        }
        visits[0].touch(Self.time(4))
        #expect(book.enter(visits[4]))
        #expect(visits.map(\.channel.isActive) == [true, false, true, true, true])
    }

    @Test func strangersNeverTakeAGuestsPlace() throws {
        let guest = try visit("192.168.1.1", at: 0)
        #expect(book.enter(guest))
        #expect(book.welcome(guest, at: Self.time(0)))
        for number in 0..<20 { #expect(book.enter(try visit("192.168.2.\(number)", at: 100))) }
        #expect(guest.channel.isActive)
        #expect(book.count == GuestBook.Count(strangers: 4, guests: 1))
    }

    private func guest(_ address: String, of holder: Holder? = nil, at seconds: Int64) throws
        -> AcceptedConnection
    {
        let visit = try visit(address, of: holder, at: seconds)
        #expect(book.enter(visit))
        #expect(book.welcome(visit, at: Self.time(seconds)))
        return visit
    }

    @Test func theLongestSilentGuestGivesWay() throws {
        let guests = try (0..<3).map { try guest("192.168.1.\($0)", at: 0) }
        guests[0].touch(Self.time(10))
        guests[2].touch(Self.time(10))
        let last = try guest("192.168.1.3", at: 11)
        #expect((guests + [last]).map(\.channel.isActive) == [true, false, true, true])
    }

    @Test func guestsOfOneHolderAreCapped() throws {
        let guests = try (0..<3).map { try guest("192.168.1.9", at: $0) }
        #expect(guests.map(\.channel.isActive) == [false, true, true])
        let other = try guest("192.168.1.10", at: 3)
        #expect((guests[1...] + [other]).allSatisfy { $0.channel.isActive })
    }

    /// Whatever the number of its addresses, and however active its connections are.
    @Test func whoHasMostGivesWay() throws {
        let card = Holder(nil, MACAddress("02:00:00:00:00:66"))
        let quiet = try guest("192.168.1.5", at: 0)
        let greedy = try (0..<2).map { try guest("192.168.1.\(20 + $0)", of: card, at: 5) }
        for visit in greedy { visit.touch(Self.time(9)) }
        let newcomer = try guest("192.168.1.6", at: 9)
        #expect(quiet.channel.isActive)
        #expect(newcomer.channel.isActive)
        #expect(greedy.count { $0.channel.isActive } == 1)
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 3))
    }

    /// Places are reserved for Help and Emergency Reset; a connection for those takes no other place.
    @Test func waysOutHavePlacesOfTheirOwn() throws {
        let guests = try (0..<3).map { try guest("192.168.1.\($0)", at: 0) }
        let leaving = try (0..<3).map { try visit("192.168.1.\(10 + $0)", at: $0) }
        for visit in leaving {
            #expect(book.enter(visit))
            #expect(book.welcome(visit, isLeaving: true, at: visit.acceptedAt))
            #expect(book.welcome(visit, at: visit.acceptedAt), "a later request of the same connection")
        }
        #expect(guests.allSatisfy { $0.channel.isActive })
        #expect(leaving.map(\.channel.isActive) == [false, true, true])
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 3, leaving: 2))
    }

    @Test func whoLeftIsCountedOnce() throws {
        let visit = try visit("192.168.1.9", at: 0)
        #expect(book.enter(visit))
        #expect(book.welcome(visit, at: Self.time(0)))
        book.leave(visit)
        book.leave(visit)
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 0))
        #expect(!book.welcome(visit, at: Self.time(0)))
    }

    @Test func closedBookLetsNobodyIn() throws {
        book.close()
        #expect(!book.enter(try visit("192.168.1.9", at: 0)))
    }

    /// Relayed connections have their own room.
    @Test func thePassingAreCountedApart() throws {
        let first = try (0..<2).map { try visit("192.168.1.9", at: $0) }
        for visit in first {
            #expect(book.enter(visit))
            #expect(book.letPass(visit, at: Self.time(2)))
        }
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 0, passing: 2))
        let third = try visit("192.168.1.9", at: 5)
        #expect(book.enter(third))
        #expect(book.letPass(third, at: Self.time(5)))
        #expect(first.map(\.channel.isActive) == [false, true])
        // A connection that cannot be relayed is a stranger again.
        book.shield(third, at: Self.time(6))
        #expect(book.count == GuestBook.Count(strangers: 1, guests: 0, passing: 1))
        book.leave(third)
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 0, passing: 1))
    }
}
