import Foundation
import Testing

@testable import Policy

/// A device's minutes on a UTC day, which machines of a household join by union.
@Suite struct DeviceDayTests {
    private static let day = 20_778
    private static let phone = DeviceID(rawValue: 1)

    private static func mask(
        _ minutes: UInt64, app: String = "tiktok", hour: Int = 12, person: Int64 = 1,
        device: DeviceID = phone, source: UsageSource = .dns
    ) -> HourMask {
        HourMask(
            person: PersonID(rawValue: person), device: device, app: app, hour: day * 24 + hour,
            source: source, minutes: minutes)
    }

    private static func of(_ masks: HourMask...) -> DeviceDay {
        masks.reduce(into: DeviceDay(phone, day: day)) { $0.add($1) }
    }

    @Test("The union has every minute once, in whatever order and however often it is made") func union() {
        let one = Self.of(Self.mask(0b0011), Self.mask(0b1, app: "gmail"))
        let other = Self.of(Self.mask(0b0110), Self.mask(0b1000, source: .relay))
        let both = Self.of(
            Self.mask(0b0111), Self.mask(0b1, app: "gmail"), Self.mask(0b1000, source: .relay))
        #expect(one.union(other) == both && other.union(one) == both)
        #expect(both.union(one) == both && both.union(both) == both)
    }

    @Test("A day has its own hours, its own device, and 60 minutes an hour") func borders() {
        var day = DeviceDay(Self.phone, day: Self.day)
        for hour in [-1, 24] { day.add(Self.mask(1, hour: hour)) }
        day.add(Self.mask(1, device: DeviceID(rawValue: 2)))
        day.add(Self.mask(~HourMask.full))
        day.add(Self.mask(1, app: ""))
        #expect(day.isEmpty)
        day.add(Self.mask(1, hour: 0))
        day.add(Self.mask(~0, hour: 23))
        #expect(Set(day.masks) == [Self.mask(1, hour: 0), Self.mask(HourMask.full, hour: 23)])
    }

    @Test("Only minutes that ended before an instant are told, each device by itself") func settled() {
        let tablet = DeviceID(rawValue: 2)
        let masks = [
            Self.mask(0b1111), Self.mask(1, hour: 13), Self.mask(0b1, hour: 11, device: tablet),
        ]
        let end = (Self.day * 24 + 12) * 60 + 2
        let days = DeviceDay.all(masks, day: Self.day, before: end)
        #expect(days.map(\.masks) == [[Self.mask(0b11)], [masks[2]]])
        #expect(DeviceDay.all([masks[0]], day: Self.day, before: end - 2).isEmpty)
    }

    @Test("What is read is what was written; what cannot be is left out; what is no list is refused")
    func coding() throws {
        let day = Self.of(Self.mask(HourMask.full), Self.mask(0b101, app: "gmail", person: 2, source: .relay))
        #expect(try DeviceDay(Self.phone, day: Self.day, encoded: day.encoded()) == day)
        #expect(day.only([PersonID(rawValue: 1)]) == Self.of(Self.mask(HourMask.full)))
        let odd = #"[{"p":1,"a":"x","h":7,"s":0,"m":1},{"p":1,"a":"x","h":498672,"s":9,"m":1}]"#
        #expect(try DeviceDay(Self.phone, day: Self.day, encoded: Data(odd.utf8)).isEmpty)
        #expect(throws: (any Error).self) {
            try DeviceDay(Self.phone, day: Self.day, encoded: Data("{}".utf8))
        }
    }

    @Test("The ledger adds minutes of others, and its own count takes back only what it speaks for")
    func ledger() {
        var ledger = UsageLedger([[Self.mask(0b1)]])
        let person = PersonID(rawValue: 1)
        let start = Date(timeIntervalSince1970: TimeInterval(Self.day * 86_400))
        func minutes() -> Int { ledger.minutes(of: person, in: start..<start + 86_400) }
        #expect(ledger.join([Self.mask(0b110), Self.mask(0b1, hour: 13)]) && minutes() == 4)
        let revision = ledger.revision
        #expect(!ledger.join([Self.mask(0b110)]) && ledger.revision == revision)
        #expect(ledger.takeUnwritten(in: .utc).isEmpty)
        let noon = (Self.day * 24 + 12) * 60
        ledger.apply(
            UsageChange(
                device: Self.phone, person: person, app: "tiktok", range: noon + 2...noon + 3, minutes: []))
        #expect(minutes() == 3)
        #expect(ledger.takeUnwritten(in: .utc).hours == [Self.mask(0b11)])
    }
}
