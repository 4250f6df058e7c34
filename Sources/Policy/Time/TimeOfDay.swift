/// A wall-clock time, 00:00 to 23:59.
package struct TimeOfDay: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let hour: Int
    package let minute: Int

    /// Traps outside 00:00 to 23:59; text from people goes through `init(_:)`.
    package init(hour: Int, minute: Int) {
        precondition((0...23).contains(hour) && (0...59).contains(minute), "no such time of day")
        self.hour = hour
        self.minute = minute
    }

    /// 1,440, the end of a day, is 00:00.
    init(minuteOfDay: Int) { self.init(hour: minuteOfDay / 60 % 24, minute: minuteOfDay % 60) }

    /// Reads exactly `HH:MM`, two digits each.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"),
            let hour = CivilDate.number(bytes[0..<2]), let minute = CivilDate.number(bytes[3..<5]),
            hour <= 23, minute <= 59
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    /// Minutes since 00:00 on the wall; not a duration, since a day can have 23 or 25 hours.
    package var minuteOfDay: Int { hour * 60 + minute }

    package var description: String { "\(hour.padded(2)):\(minute.padded(2))" }

    /// Whether what begins at `start` and ends at this time ends on the next day. Nights and windows go by this.
    package func isNextDay(after start: TimeOfDay) -> Bool { self <= start }

    package static func < (a: TimeOfDay, b: TimeOfDay) -> Bool { a.minuteOfDay < b.minuteOfDay }
}

extension TimeOfDay: TextCodable {
    package static let form = "A time is HH:MM, from 00:00 to 23:59."
}

extension Int {
    /// At least `width` digits, filled with zeros.
    func padded(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
