package import Foundation

/// One civil day of one person: sleep, windows, limits reached, focus and use.
///
/// A day's headline, chart, ribbon and table all come from this. Minutes count from the day's start; a day has 1,380,
/// 1,440 or 1,500 of them.
package struct DayRhythm: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case sleep
        /// A bedtime that is still to come.
        case bedtime
        /// Anti-Rot's open hours.
        case windows
        case focus
        case use
    }

    /// A limit that was reached.
    package struct Reached: Hashable, Sendable {
        package let minute: Int
        package let target: LimitTarget
    }

    package let date: CivilDate
    package let start: Date
    /// How many minutes the day has.
    package let length: Int
    /// In order of time.
    package let reached: [Reached]
    /// Minutes of use in each of the 24 wall-clock hours; an hour that a clock change repeats has up to 120.
    package let hours: [Int]
    private let kinds: [Kind: [Range<Int>]]

    /// Cuts everything to the day. `use` is in minutes since 1970; the rest are spans of time, which may overlap.
    package init(
        _ date: CivilDate, in zone: CivilZone, spans: [Kind: [Range<Date>]] = [:], use: [Range<Int>] = [],
        reached: [(target: LimitTarget, at: Date)] = []
    ) {
        let start = zone.dayStart(date)
        let length = Int(zone.dayLength(date)) / 60
        let first = Int((start.timeIntervalSince1970 / 60).rounded(.down))
        self.date = date
        self.start = start
        self.length = length
        func minute(_ instant: Date) -> Int {
            Int((min(max(instant.timeIntervalSince(start), 0), Double(length) * 60) / 60).rounded(.down))
        }
        var kinds = spans.mapValues { spans in
            Self.joined(spans.map { minute($0.lowerBound)..<minute($0.upperBound) })
        }
        kinds[.use] = Self.joined(
            use.map { ($0.lowerBound - first..<$0.upperBound - first).clamped(to: 0..<length) })
        // A minute of sleep is no bedtime to come: a session by hand can run into the night.
        kinds[.bedtime] = Self.subtract(kinds[.sleep] ?? [], from: kinds[.bedtime] ?? [])
        self.kinds = kinds
        hours = Self.hours(of: kinds[.use] ?? [], from: start, in: zone)
        let end = start.addingTimeInterval(Double(length) * 60)
        self.reached = reached.filter { start <= $0.at && $0.at < end }.sorted { $0.at < $1.at }.map {
            Reached(minute: minute($0.at), target: $0.target)
        }
    }

    /// In order of time, apart from each other.
    package subscript(kind: Kind) -> [Range<Int>] { kinds[kind] ?? [] }

    /// Minutes of a kind; a minute counts once.
    package func total(_ kind: Kind) -> Int { self[kind].reduce(0) { $0 + $1.count } }

    package var isEmpty: Bool { reached.isEmpty && kinds.values.allSatisfy(\.isEmpty) }

    /// In order, with those that touch joined, and without empty ones.
    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.filter({ !$0.isEmpty }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// Both in order and apart.
    private static func subtract(_ taken: [Range<Int>], from ranges: [Range<Int>]) -> [Range<Int>] {
        taken.reduce(ranges) { ranges, taken in
            ranges.flatMap { range in
                [
                    range.clamped(to: 0..<max(0, taken.lowerBound)),
                    range.clamped(to: taken.upperBound..<max(taken.upperBound, range.upperBound)),
                ].filter { !$0.isEmpty }
            }
        }
    }

    private static func hours(of use: [Range<Int>], from start: Date, in zone: CivilZone) -> [Int] {
        var hours = [Int](repeating: 0, count: 24)
        for range in use {
            var minute = range.lowerBound
            while minute < range.upperBound {
                // Zone offsets are multiples of a quarter of an hour, and so are the starts of days.
                let end = min(range.upperBound, (minute / 15 + 1) * 15)
                hours[zone.time(of: start.addingTimeInterval(Double(minute) * 60)).hour] += end - minute
                minute = end
            }
        }
        return hours
    }
}
