import Foundation
import Testing

@testable import Policy

/// Which answers are remembered, and for how long.
@Suite struct AnsweredNamesTests {
    private let now = ContinuousClock.now

    @Test func anHourUnlessItIsInForce() {
        var answered = AnsweredNames()
        answered.note("a.example", ["1.1.1.1", "1.1.1.2"], to: phone, at: now)
        answered.note("a.example", ["1.1.1.2"], to: phone, at: now + .seconds(10))
        answered.forget(at: now + .seconds(3600))
        #expect(answered.names.mapValues { Set($0.addresses.keys) } == ["a.example": ["1.1.1.2"]])
        answered.note("b.example", ["1.1.1.3", "1.1.1.4"], to: phone, at: now)
        answered.forget(at: now + .seconds(7200), keeping: ["b.example": ["1.1.1.4"]])
        #expect(answered.names.mapValues { Set($0.addresses.keys) } == ["b.example": ["1.1.1.4"]])
        answered.forget(at: now + .seconds(7200))
        #expect(answered.isEmpty)
    }

    /// Adds names of one zone with ten addresses each.
    private static func flood(
        _ answered: inout AnsweredNames, _ names: Int, _ zone: String, by device: DeviceID?,
        at now: ContinuousClock.Instant
    ) {
        for number in 0..<names {
            let addresses = (0..<10).map { "10.\(number / 256).\(number % 256).\($0)" }
            answered.note("n\(number).\(zone)", addresses, to: device, at: now + .microseconds(number))
        }
    }

    @Test(
        "The fullest device loses first: names without an app, then open ones, the largest zone, the oldest")
    func shares() {
        var answered = AnsweredNames()
        answered.note("kim.example", ["1.1.1.1"], to: tablet, at: now)
        answered.note("shared.example", ["1.1.1.2"], to: tablet, at: now)
        answered.note("shared.example", ["1.1.1.2"], to: phone, at: now)
        answered.note("video.example", ["1.1.1.3"], to: phone, at: now)
        answered.note("closed.example", ["1.1.1.4"], to: phone, at: now)
        answered.note("old.example", ["1.1.1.5"], to: phone, at: now)
        answered.note("before.example", ["1.1.1.6"], to: nil, at: now)
        Self.flood(&answered, 1998, "flood.example", by: phone, at: now + .seconds(1))
        #expect(!answered.isFull)
        answered.forget(at: now + .seconds(2))
        #expect(answered.names["old.example"] != nil, "there is room")
        Self.flood(&answered, 5, "more.example", by: phone, at: now + .seconds(2))
        #expect(answered.isFull)
        answered.forget(at: now + .seconds(3), keeping: ["closed.example": ["1.1.1.4"]]) {
            $0 == "video.example"
        }
        #expect(answered.count <= AnsweredNames.mostAddresses * 9 / 10 && !answered.isFull)
        #expect(answered.count == answered.names.values.reduce(0) { $0 + $1.addresses.count })
        for name in ["old", "kim", "shared", "video", "closed", "before", "n1997.flood"] {
            #expect(answered.names["\(name).example"] != nil, "\(name)")
        }
        #expect(answered.names["n0.flood.example"] == nil)
    }

    @Test(
        "Names without an app go before names of apps, and open names before closed ones, whatever their zone"
    )
    func order() {
        var answered = AnsweredNames()
        Self.flood(&answered, 1100, "app.example", by: phone, at: now)
        Self.flood(&answered, 700, "closed.test", by: phone, at: now)
        for number in 0..<2100 {
            answered.note(
                "n.z\(number).example", ["10.9.0.1"], to: phone, at: now + .microseconds(number * 100))
        }
        let kept = answered.names.filter { $0.key.hasSuffix("closed.test") }.mapValues {
            Set($0.addresses.keys)
        }
        answered.forget(at: now + .seconds(2), keeping: kept) { $0.hasSuffix("app.example") }
        let left = answered.names.keys
        #expect(left.count { $0.hasSuffix("app.example") } == 1100)
        #expect(left.count { $0.hasSuffix("closed.test") } == 700)
        #expect(answered.count == 18_000 && answered.names["n.z2099.example"] == nil)
        var plain = AnsweredNames()
        for number in 0...AnsweredNames.mostAddresses {
            plain.note("n.z\(number).example", ["10.9.0.1"], to: phone, at: now + .microseconds(number * 100))
        }
        plain.forget(at: now + .seconds(2))
        #expect(
            plain.names["n.z0.example"] == nil && plain.names["n.z20000.example"] != nil, "the oldest first")
    }

    @Test("Closed addresses are bounded too: a person awake cannot fill the kernel of a home that sleeps")
    func boundOnWhatIsInForce() {
        var answered = AnsweredNames()
        answered.note("kim.example", ["1.1.1.1"], to: tablet, at: now)
        Self.flood(&answered, 3000, "flood.example", by: phone, at: now)
        let kept = answered.names.mapValues { Set($0.addresses.keys) }
        answered.forget(at: now + .seconds(7200), keeping: kept)
        #expect(answered.count <= AnsweredNames.mostAddresses)
        #expect(answered.names["kim.example"] != nil)
    }

    @Test("In a home with many devices, all of them make room")
    func manyDevices() {
        var answered = AnsweredNames()
        for number in 0..<20 {
            let device = DeviceID(rawValue: Int64(number))
            Self.flood(&answered, 110, "d\(number).example", by: device, at: now)
        }
        answered.forget(at: now + .seconds(1))
        #expect(!answered.isFull)
        let left = Dictionary(grouping: answered.names.keys) { $0.split(separator: ".")[1] }
        #expect(left.values.allSatisfy { (80...100).contains($0.count) }, "all alike")
    }

    @Test func addressesOfOneName() {
        var answered = AnsweredNames()
        for number in 0..<200 {
            answered.note("big.example", ["10.0.0.\(number)"], to: phone, at: now + .seconds(number))
        }
        #expect(answered.count == AnsweredNames.mostOfOne)
        #expect(answered.names["big.example"]?.addresses["10.0.0.199"] != nil)
    }

    @Test func addressesOfAKindOnly() {
        var answered = AnsweredNames()
        answered.note("dns.example", ["1.1.1.1", "1.1.1.2"], to: phone, at: now)
        answered.note("other.example", ["1.1.1.2"], to: phone, at: now - .seconds(3000))
        #expect(answered.addresses(ofOnly: { $0 == "dns.example" }, at: now) == ["1.1.1.1"])
        #expect(
            answered.addresses(ofOnly: { $0 == "dns.example" }, at: now + .seconds(600)) == [
                "1.1.1.1", "1.1.1.2",
            ])
    }
}
