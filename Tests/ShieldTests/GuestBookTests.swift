import NIOCore
import NIOEmbedded
import Testing

@testable import Shield

@Suite struct GuestBookTests {
    private static func limits() -> DoorLimits {
        var limits = DoorLimits()
        limits.strangers = 4
        limits.strangersPerAddress = 2
        limits.guests = 3
        limits.guestsPerAddress = 2
        limits.passing = 3
        limits.passingPerAddress = 2
        return limits
    }

    private let book = GuestBook(limits: limits())

    private func visit(_ address: String, at seconds: Int64) throws -> Visit {
        let channel = EmbeddedChannel()
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
        try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
        return Visit(channel: channel, now: Self.time(seconds))
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

    /// Every stream of HTTP/2 is welcomed on its own.
    @Test func whoIsWelcomedAgainIsOneGuest() throws {
        let visit = try visit("192.168.1.9", at: 0)
        #expect(book.enter(visit))
        for second in 1...5 { #expect(book.welcome(visit, at: Self.time(Int64(second)))) }
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 1))
        book.leave(visit)
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 0))
    }

    @Test func loopbackHasNoCapOfItsOwn() throws {
        let visits = try (0..<5).map { try visit("127.0.0.1", at: $0) }
        for visit in visits { #expect(book.enter(visit)) }
        #expect(visits.map(\.channel.isActive) == [false, true, true, true, true])
    }

    @Test func undecidedGiveWayBeforeShielded() throws {
        let visits = try (0..<5).map { try visit("192.168.1.\($0)", at: $0) }
        for visit in visits[..<4] { #expect(book.enter(visit)) }
        book.shield(visits[0])
        #expect(book.enter(visits[4]))
        #expect(visits.map(\.channel.isActive) == [true, false, true, true, true])
    }

    @Test func longestSilentShieldedGivesWay() throws {
        let visits = try (0..<5).map { try visit("192.168.1.\($0)", at: $0) }
        for visit in visits[..<4] {
            #expect(book.enter(visit))
            book.shield(visit)
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

    @Test func guestsWhoSpeakKeepTheirPlaces() throws {
        let guests = try (0..<4).map { try visit("192.168.1.\($0)", at: 0) }
        for guest in guests { #expect(book.enter(guest)) }
        for guest in guests[..<3] { #expect(book.welcome(guest, at: Self.time(0))) }
        #expect(!book.welcome(guests[3], at: Self.time(20)))
        guests[0].touch(Self.time(10))
        guests[2].touch(Self.time(10))
        #expect(book.welcome(guests[3], at: Self.time(21)))
        #expect(guests.map(\.channel.isActive) == [true, false, true, true])
    }

    @Test func guestsOfOneAddressAreCapped() throws {
        let guests = try (0..<2).map { try visit("192.168.1.9", at: $0) }
        for guest in guests {
            #expect(book.enter(guest))
            #expect(book.welcome(guest, at: Self.time(1)))
        }
        let third = try visit("192.168.1.9", at: 2)
        #expect(book.enter(third))
        #expect(!book.welcome(third, at: Self.time(2)))
        let other = try visit("192.168.1.10", at: 2)
        #expect(book.enter(other))
        #expect(book.welcome(other, at: Self.time(2)))
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

    /// Whoever passes has room of its own, and gives way only after a silence.
    @Test func thePassingAreCountedApart() throws {
        let first = try (0..<2).map { try visit("192.168.1.9", at: $0) }
        for visit in first {
            #expect(book.enter(visit))
            #expect(book.letPass(visit, at: Self.time(2)))
        }
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 0, passing: 2))
        let third = try visit("192.168.1.9", at: 5)
        #expect(book.enter(third))
        #expect(!book.letPass(third, at: Self.time(5)))
        #expect(book.letPass(third, at: Self.time(25)))
        #expect(first.map(\.channel.isActive) == [false, true])
        // Who cannot pass after all is a stranger again.
        book.shield(third)
        #expect(book.count == GuestBook.Count(strangers: 1, guests: 0, passing: 1))
        book.leave(third)
        #expect(book.count == GuestBook.Count(strangers: 0, guests: 0, passing: 1))
    }
}
