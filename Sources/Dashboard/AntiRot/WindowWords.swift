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

extension [TimeWindow] {
    /// The window that is open at an instant.
    func open(at instant: Date, in zone: CivilZone) -> TimeWindow? {
        let (day, time) = (zone.date(of: instant).weekday, zone.time(of: instant))
        return first { $0.days.contains(day) && $0.start <= time && time < $0.end }
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
