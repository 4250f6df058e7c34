import Directory
import Testing

@testable import DNS

/// Places for questions to upstreams are shared out by client.
@Suite struct PlacesTests {
    private static let most = Resolver.Configuration.Bounds().questions
    private let places = Places(most: most)
    private let phone = ClientAddress("192.168.1.20")!
    private let tablet = ClientAddress("192.168.1.21")!
    private let television = ClientAddress("192.168.1.22")!

    /// The holders that began, in that order.
    private final class Log { var begun: [ClientAddress] = [] }
    private let log = Log()

    private func enter(_ holder: ClientAddress, _ count: Int = 1) -> [Places.Seat] {
        (0..<count).map { _ in
            let place = Places.Seat(holder) { [log] in log.begun.append(holder) }
            places.enter(place)
            return place
        }
    }

    private func begun(_ holder: ClientAddress) -> Int { log.begun.count { $0 == holder } }

    @Test func whoAsksForMuchLeavesRoomForEverybody() {
        let held = enter(phone, 1000)
        #expect(begun(phone) == Self.most / 2)
        let others = (0..<60).map { ClientAddress(v4: 0x0a00_0000 + $0) }
        for other in others { _ = enter(other) }
        #expect(others.allSatisfy { begun($0) == 1 })
        for place in held { places.leave(place) }
        #expect(places.count == 60)
        #expect(begun(phone) >= Self.most / 2)
    }

    @Test func twoHaveAThirdEach() {
        var held = enter(phone, 1000)
        let second = enter(tablet, 1000)
        // The first device's exchanges end until the shares are equal.
        while begun(tablet) < begun(phone) - held.count { places.leave(held.removeFirst()) }
        for place in held.prefix(60) { places.leave(place) }
        #expect(begun(tablet) >= Self.most / 3 - 2)
        #expect(begun(tablet) <= Self.most / 3 + 2)
        #expect(second.count == 1000)
        #expect(enter(television).count == 1 && begun(television) == 1)
    }

    @Test func thoseWhoWaitTakeTurns() {
        let holders = (0..<UInt32(Self.most)).map { ClientAddress(v4: 0x0a00_0000 + $0) }
        var held = holders.flatMap { enter($0) }
        #expect(places.count == Self.most)
        _ = enter(phone, 5)
        _ = enter(tablet, 5)
        #expect(begun(phone) + begun(tablet) == 0)
        for _ in 0..<6 { places.leave(held.removeLast()) }
        #expect(log.begun.suffix(4) == [phone, tablet, phone, tablet])
    }

    @Test func whatSomebodyElseWaitsForTooDoesNotWaitLonger() {
        let held = enter(phone, 200)
        #expect(begun(phone) == Self.most / 2)
        places.join(held[199], tablet)
        #expect(log.begun.count == Self.most / 2 + 1)
        // It begins once, and belongs to the other.
        places.join(held[199], television)
        places.leave(held[199])
        for place in held { places.leave(place) }
        #expect(log.begun.count == 200)
        #expect(places.count == 0)
    }

    @Test func whatEndsWhileItWaitsIsNeverBegun() {
        let held = enter(phone, 200)
        for place in held.suffix(50) + held.prefix(150) { places.leave(place) }
        #expect(log.begun.count == 150)
        #expect(places.count == 0)
    }

    /// Otherwise the stack would be as deep as the queue is long.
    @Test func whatEndsAsItBeginsCallsTheNextOneWithoutCallingDeeper() {
        final class Depth { var now = 0, most = 0, begun = 0 }
        let depth = Depth()
        let held = enter(phone, Self.most / 2)
        var all: [Places.Seat] = []
        for index in 0..<500 {
            let place = Places.Seat(phone) {
                depth.now += 1
                depth.most = max(depth.most, depth.now)
                depth.begun += 1
                places.leave(all[index])
                depth.now -= 1
            }
            all.append(place)
            places.enter(place)
        }
        places.leave(held[0])
        #expect(depth.begun == 500)
        #expect(depth.most == 1)
    }
}
