/// A day of the Gregorian calendar, without zone or time; years 1 to 9999.
package struct CivilDate: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Traps on a day that no calendar has; text from people goes through `init(_:)`.
    package init(year: Int, month: Int, day: Int) {
        precondition(Self.exists(year, month, day), "no such day")
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads exactly `YYYY-MM-DD`.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count == 10, bytes[4] == dash, bytes[7] == dash,
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), Self.exists(year, month, day)
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    package var description: String { "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))" }

    package static func < (a: CivilDate, b: CivilDate) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }

    /// ASCII digits only: no signs, no spaces, no digits of other scripts.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}

extension CivilDate: TextCodable {
    package static let form = "A date is YYYY-MM-DD."
}
