import Foundation

/// A person's minutes on a civil date, for pages: of one app, or of all together.
package struct UsageDay: Hashable, Sendable {
    package var person: PersonID
    package var date: CivilDate
    /// Nil: the union over all apps; a minute with two apps counts once.
    package var app: String?
    package var minutes: Int
    package var source: UsageSource

    package init(person: PersonID, date: CivilDate, app: String?, minutes: Int, source: UsageSource) {
        self.person = person
        self.date = date
        self.app = app
        self.minutes = minutes
        self.source = source
    }
}

/// How often a person tried to open a blocked app on a civil date.
package struct UsageAttempts: Hashable, Sendable {
    package var person: PersonID
    package var date: CivilDate
    package var app: String
    package var count: Int

    package init(person: PersonID, date: CivilDate, app: String, count: Int) {
        self.person = person
        self.date = date
        self.app = app
        self.count = count
    }
}

/// What changed since the last write.
package struct UsageBatch: Hashable, Sendable {
    /// Current values; they replace the stored ones.
    package var hours: [HourMask] = []
    /// Current values; they replace the stored ones.
    package var days: [UsageDay] = []
    /// Added to the stored ones.
    package var attempts: [UsageAttempts] = []

    package init() {}

    package var isEmpty: Bool { hours.isEmpty && days.isEmpty && attempts.isEmpty }
}

/// The minutes in which one person used one app, or one of several; a minute with two apps counts once.
package struct MinutesOfUse: Hashable, Sendable {
    /// Minutes since 1970, in order, apart from each other.
    package private(set) var spans: [Range<Int>] = []
    /// The most exact source of any minute in it.
    package private(set) var source = UsageSource.dns

    package var count: Int { spans.reduce(0) { $0 + $1.count } }

    /// Reads one person's `masks` for the minutes since 1970 in `range`.
    package init(_ masks: [HourMask], in range: Range<Int>) {
        for (hour, use) in HourMask.byHour(masks).sorted(by: { $0.key < $1.key }) {
            var bits = use.minutes & HourMask.bits(of: range, in: hour)
            guard bits != 0 else { continue }
            source = max(source, use.source)
            while bits != 0 {
                let minute = hour * 60 + bits.trailingZeroBitCount
                bits &= bits - 1
                if let last = spans.last, last.upperBound == minute {
                    spans[spans.count - 1] = last.lowerBound..<minute + 1
                } else {
                    spans.append(minute..<minute + 1)
                }
            }
        }
    }
}
