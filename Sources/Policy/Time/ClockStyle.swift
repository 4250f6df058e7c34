/// How a time of day is written: `22:00`, or `10:00 PM`.
package enum ClockStyle: Sendable {
    case twentyFourHours, twelveHours

    /// A full hour on an axis: `06` or `6 AM`. The 24th ends the day: `24` or `12 AM`.
    package func axisText(hour: Int) -> String {
        switch self {
        case .twentyFourHours: hour.padded(2)
        case .twelveHours: "\(Self.twelfth(of: hour))\u{A0}\(Self.half(of: hour))"
        }
    }

    /// The end of the day, which is no time of day: `24:00` or `12:00 AM`.
    package var endOfDay: String {
        switch self {
        case .twentyFourHours: "24:00"
        case .twelveHours: TimeOfDay(hour: 0, minute: 0).text(in: self)
        }
    }

    fileprivate static func twelfth(of hour: Int) -> Int { hour % 12 == 0 ? 12 : hour % 12 }

    fileprivate static func half(of hour: Int) -> String { hour % 24 < 12 ? "AM" : "PM" }
}

extension TimeOfDay {
    /// The only place that writes a time for people; `clockText` in clock.js does the same. Midnight is 12:00 AM and noon
    /// 12:00 PM. The space does not break.
    package func text(in style: ClockStyle) -> String {
        switch style {
        case .twentyFourHours: description
        case .twelveHours:
            "\(ClockStyle.twelfth(of: hour)):\(minute.padded(2))\u{A0}\(ClockStyle.half(of: hour))"
        }
    }
}

extension TimeWindow {
    /// `12:00–13:00` or `12:00 PM–1:00 PM`; `22:00–24:00` for a window until midnight.
    package func times(in style: ClockStyle) -> String {
        let end = minutes.upperBound == Self.day.upperBound ? style.endOfDay : end.text(in: style)
        return "\(start.text(in: style))–\(end)"
    }

    /// The label, or the times of a window without one.
    package func name(in style: ClockStyle) -> String { label.isEmpty ? times(in: style) : label }
}

/// The household's choice of how pages write times. Programs, logs and commands always have 24 hours.
package enum ClockSetting: String, Codable, CaseIterable, HasDefault, Sendable {
    /// As the reader's browser is used to.
    case automatic
    case twelve = "12"
    case twentyFour = "24"

    package init() { self = .automatic }

    package var displayName: String {
        switch self {
        case .automatic: "Automatic"
        case .twelve: "12-hour"
        case .twentyFour: "24-hour"
        }
    }

    /// - Parameter languages: the browser's `Accept-Language`; without one it is 24 hours.
    package func style(for languages: String?) -> ClockStyle {
        switch self {
        case .automatic: languages.map(ClockHabit.style) ?? .twentyFourHours
        case .twelve: .twelveHours
        case .twentyFour: .twentyFourHours
        }
    }
}
