package import Foundation

/// Monday first; raw values are the contract's form values.
package enum Weekday: String, Codable, Sendable, CaseIterable {
    case mon, tue, wed, thu, fri, sat, sun
}

/// A time on the wall, 00:00 to 23:59.
package struct TimeOfDay: Hashable, Sendable {
    package var hour: Int
    package var minute: Int

    package init(hour: Int, minute: Int) {
        self.hour = hour
        self.minute = minute
    }
}

/// A day of the Gregorian calendar, without zone or time.
package struct CivilDate: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }
}
