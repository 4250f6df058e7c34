import Foundation
import Pages
import Policy

extension TimeWindow {
    /// `12:00–13:00`, as the reader is used to.
    var timesText: String { times(in: ClockFace.style) }
    /// The label, or the times.
    var name: String { name(in: ClockFace.style) }
    /// `Lunch 12:00–13:00`.
    var words: String { label.isEmpty ? timesText : "\(label) \(timesText)" }
    /// The same for the log, which everybody reads.
    var logged: String { label.isEmpty ? times : "\(label) \(times)" }
}

extension Person {
    /// A set's window that is open at an instant; nil on a date on which none hold.
    func openWindow(of set: WindowSet, at instant: Date, in zone: CivilZone) -> TimeWindow? {
        let today = zone.date(of: instant)
        let minute = zone.time(of: instant).minuteOfDay
        guard dateExceptions.weekday(on: today) != nil else { return nil }
        func open(_ minute: Int, of date: CivilDate) -> TimeWindow? {
            dateExceptions.weekday(on: date).flatMap { day in
                set.windows?.first { $0.days.contains(day) && $0.minutes.contains(minute) }
            }
        }
        return open(minute, of: today) ?? open(minute + 1_440, of: today.adding(days: -1))
    }
}

extension Set<Weekday> {
    /// `Every day`, `Monday to Friday`, `Mon, Wed`.
    var words: String {
        switch sorted() {
        case Weekday.allCases: "Every day"
        case [.mon, .tue, .wed, .thu, .fri]: "Monday to Friday"
        case [.sat, .sun]: "Saturday and Sunday"
        case let chosen where chosen.count == 1: chosen[0].displayName
        case let chosen: chosen.map(\.short).joined(separator: ", ")
        }
    }
}
