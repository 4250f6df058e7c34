/// The minutes of one UTC hour in which one app was in use on one device, one bit each (design.md, Usage minutes).
package struct HourMask: Hashable, Sendable {
    package var person: PersonID
    package var device: DeviceID
    package var app: String
    /// Hours since 1970.
    package var hour: Int
    package var source: UsageSource
    /// Bit 0 is the hour's first minute; the upper four bits are 0.
    package var minutes: UInt64

    package init(
        person: PersonID, device: DeviceID, app: String, hour: Int, source: UsageSource, minutes: UInt64
    ) {
        self.person = person
        self.device = device
        self.app = app
        self.hour = hour
        self.source = source
        self.minutes = minutes
    }

    /// All sixty minutes.
    package static let full: UInt64 = 1 << 60 - 1

    /// The bits of the minutes since 1970 in `range` that lie in `hour`.
    package static func bits(of range: Range<Int>, in hour: Int) -> UInt64 {
        let start = max(range.lowerBound - hour * 60, 0)
        let end = min(range.upperBound - hour * 60, 60)
        guard start < end else { return 0 }
        return (full >> UInt64(60 - end)) & (full << UInt64(start)) & full
    }

    /// The hours that the minutes since 1970 in `range` touch.
    static func hours(of range: Range<Int>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        return range.lowerBound.hour..<(range.upperBound - 1).hour + 1
    }

    /// When any of the apps was used, by UTC hour: first each app over its devices and sources, then all apps together.
    static func byHour(_ masks: some Sequence<HourMask>) -> [Int: (minutes: UInt64, source: UsageSource)] {
        byHour(cells: Dictionary(grouping: masks, by: { AppHour(app: $0.app, hour: $0.hour) }).values)
    }

    /// The same from all masks of each app and hour.
    static func byHour(
        cells: some Sequence<some Collection<HourMask>>
    ) -> [Int: (minutes: UInt64, source: UsageSource)] {
        var hours: [Int: (minutes: UInt64, source: UsageSource)] = [:]
        for cell in cells {
            guard let hour = cell.first?.hour else { continue }
            let (part, known) = (union(cell), hours[hour] ?? (0, .dns))
            hours[hour] = (known.minutes | part.minutes, max(known.source, part.source))
        }
        return hours
    }

    private struct AppHour: Hashable {
        var app: String
        var hour: Int
    }

    /// The union over the devices of one app in one hour; other apps' masks must not be passed. If two sources cover a
    /// device, the more exact one counts from its first minute on. Minutes before that stay, so that use never becomes
    /// less.
    static func union(_ masks: some Collection<HourMask>) -> (minutes: UInt64, source: UsageSource) {
        if let only = masks.first, masks.count == 1 {
            return only.minutes == 0 ? (0, .dns) : (only.minutes, only.source)
        }
        var best: [DeviceID: (minutes: UInt64, source: UsageSource)] = [:]
        for mask in masks.sorted(by: { $0.source > $1.source }) where mask.minutes != 0 {
            guard let exact = best[mask.device] else {
                best[mask.device] = (mask.minutes, mask.source)
                continue
            }
            let before: UInt64 = 1 << UInt64(exact.minutes.trailingZeroBitCount) - 1
            best[mask.device] = (exact.minutes | mask.minutes & before, exact.source)
        }
        return best.values.reduce((0, .dns)) { ($0.minutes | $1.minutes, max($0.source, $1.source)) }
    }
}

extension Int {
    /// The hour since 1970 that a minute lies in.
    var hour: Int { (self - (self < 0 ? 59 : 0)) / 60 }
}
