package import Foundation

/// All use in the last nine days, to the minute: enough for every limit's day and week.
///
/// A person's minutes are the union over their devices and over the requested apps.
package struct UsageLedger: Sendable {
    /// Hours: a week, the two longest days beside it, and a reset hour.
    package static let hoursKept = 9 * 24

    private struct Cell: Hashable {
        var person: PersonID
        var app: String
        var hour: Int
    }

    private var masks: [PersonID: [String: HourMasks]] = [:]
    private var unwritten: Set<Cell> = []
    private var attempts: [AttemptKey: Int] = [:]
    /// `UsageChange.lag` of each app's newest run; those of 0 are left out.
    private var lags: [PersonID: [String: Int]] = [:]
    /// Grows whenever a figure changes.
    package private(set) var revision = 0

    private struct AttemptKey: Hashable {
        var person: PersonID
        var date: CivilDate
        var app: String
    }

    /// - Parameter stored: the hours that were used last: a list for each person and app, in the order of the hours.
    package init(_ stored: [[HourMask]] = []) {
        for list in stored {
            guard let first = list.first else { continue }
            masks[first.person, default: [:]][first.app] = HourMasks(list)
        }
    }

    // MARK: Counting

    /// Replaces the known minutes; returns whether anything changed.
    /// - Parameter isSpokenFor: change only hours in which this source reported on the device before.
    @discardableResult
    package mutating func apply(
        _ change: UsageChange, source: UsageSource = .dns, where isSpokenFor: Bool = false
    ) -> Bool {
        let range = change.range.lowerBound..<change.range.upperBound + 1
        var differs = false
        for hour in HourMask.hours(of: range) {
            let spoken = HourMask.bits(of: range, in: hour)
            if isSpokenFor, !hasTold(source, change, in: hour) { continue }
            let used = change.minutes.reduce(0) { bits, minutes in
                bits | HourMask.bits(of: minutes.lowerBound..<minutes.upperBound + 1, in: hour)
            }
            if set(used & spoken, of: spoken, in: hour, change, source) { differs = true }
        }
        lags[change.person, default: [:]][change.app] = change.lag == 0 ? nil : change.lag
        if differs { revision += 1 }
        return differs
    }

    private func hasTold(_ source: UsageSource, _ change: UsageChange, in hour: Int) -> Bool {
        masks[change.person]?[change.app]?[hour].contains {
            $0.device == change.device && $0.source == source && $0.minutes != 0
        } ?? false
    }

    private mutating func set(
        _ used: UInt64, of spoken: UInt64, in hour: Int, _ change: UsageChange, _ source: UsageSource
    ) -> Bool {
        let mask = HourMask(
            person: change.person, device: change.device, app: change.app, hour: hour, source: source,
            minutes: used)
        guard replace(mask, with: { old in old & ~spoken | used }) else { return false }
        unwritten.insert(Cell(person: change.person, app: change.app, hour: hour))
        return true
    }

    /// Gives the known mask of the same hour, device and source other minutes; returns whether they differ.
    private mutating func replace(_ mask: HourMask, with minutes: (UInt64) -> UInt64) -> Bool {
        let old = masks[mask.person]?[mask.app]?.known(like: mask)?.minutes ?? 0
        var mask = mask
        mask.minutes = minutes(old)
        guard mask.minutes != old else { return false }
        masks[mask.person, default: [:]][mask.app, default: HourMasks()].set(mask)
        return true
    }

    /// Adds minutes that another machine counted and that are stored; returns whether anything changed.
    @discardableResult
    package mutating func join(_ others: [HourMask]) -> Bool {
        var differs = false
        for mask in others where replace(mask, with: { $0 | mask.minutes }) { differs = true }
        if differs { revision += 1 }
        return differs
    }

    /// Counts an attempt to open a blocked app.
    package mutating func attempt(on app: String, by person: PersonID, on date: CivilDate) {
        attempts[AttemptKey(person: person, date: date, app: app), default: 0] += 1
    }

    /// Forgets people who no longer exist.
    package mutating func follow(_ people: Set<PersonID>) {
        for person in masks.keys where !people.contains(person) {
            masks[person] = nil
            lags[person] = nil
            revision += 1
        }
        unwritten = unwritten.filter { people.contains($0.person) }
        attempts = attempts.filter { people.contains($0.key.person) }
    }

    /// Forgets hours that no limit asks for any more; by a clock that is not synchronised those of which there are twice
    /// as many later ones.
    package mutating func forget(at now: Date, isSynchronised: Bool) {
        let hour = now.second.minute.hour
        let known = Set(masks.values.flatMap { $0.values.flatMap(\.hours) }).filter { $0 <= hour }
        let oldest =
            isSynchronised
            ? hour - Self.hoursKept : known.sorted(by: >).prefix(2 * Self.hoursKept).last ?? 0
        masks = masks.mapValues { apps in apps.compactMapValues { $0.forgetting(before: oldest) } }
    }

    // MARK: Asking

    /// Minutes in which a person used any of the apps; only minutes that lie wholly in the range.
    package func minutes(of person: PersonID, apps: some Sequence<String>, in range: Range<Date>) -> Int {
        use(of: person, apps: apps, in: Self.wholeMinutes(in: range)).minutes
    }

    /// The same for limits: a minute counts when it is over, and not before its run has lasted as long.
    func minutes(of person: PersonID, apps: some Sequence<String>, from start: Date, by now: Date) -> Int {
        var used: [Int: UInt64] = [:]
        for app in apps {
            let end = now.addingTimeInterval(-TimeInterval(lags[person]?[app] ?? 0))
            let range = Self.wholeMinutes(in: start..<max(start, end))
            guard !range.isEmpty, let known = masks[person]?[app] else { continue }
            for cell in known.cells(in: HourMask.hours(of: range)) {
                guard let hour = cell.first?.hour else { continue }
                used[hour, default: 0] |= HourMask.union(cell).minutes & HourMask.bits(of: range, in: hour)
            }
        }
        return used.values.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// Of how many apps a minute that is over counts by now, later than at its end: this changes within a minute.
    func lagsPassed(at now: Date) -> Int {
        let second = now.second - now.second.minute * 60
        return lags.values.reduce(0) { $0 + $1.values.count { $0 <= second } }
    }

    /// The same for all apps.
    package func minutes(of person: PersonID, in range: Range<Date>) -> Int {
        minutes(of: person, apps: masks[person].map { Array($0.keys) } ?? [], in: range)
    }

    /// The apps with any record for a person.
    package func apps(of person: PersonID) -> Set<String> { masks[person].map { Set($0.keys) } ?? [] }

    /// The latest minute since 1970 of every app on every device, to continue after a restart.
    package func lastMinutes() -> [(mask: HourMask, minute: Int)] {
        masks.values.flatMap { apps in
            apps.values.flatMap { masks -> [(mask: HourMask, minute: Int)] in
                guard let latest = masks.all.last(where: { $0.minutes != 0 }) else { return [] }
                return masks[latest.hour].filter { $0.minutes != 0 }.map {
                    ($0, $0.hour * 60 + 63 - $0.minutes.leadingZeroBitCount)
                }
            }
        }
    }

    private static func wholeMinutes(in range: Range<Date>) -> Range<Int> {
        let start = (range.lowerBound.timeIntervalSince1970 / 60).rounded(.up)
        let end = (range.upperBound.timeIntervalSince1970 / 60).rounded(.down)
        return start < end ? Int(start)..<Int(end) : 0..<0
    }

    private func use(
        of person: PersonID, apps: some Sequence<String>, in range: Range<Int>
    ) -> (minutes: Int, source: UsageSource) {
        guard let known = masks[person], !range.isEmpty else { return (0, .dns) }
        let hours = HourMask.hours(of: range)
        let cells = apps.lazy.compactMap { known[$0] }.flatMap { $0.cells(in: hours) }
        return HourMask.byHour(cells: cells).reduce((0, .dns)) { sum, use in
            let bits = use.value.minutes & HourMask.bits(of: range, in: use.key)
            return (sum.minutes + bits.nonzeroBitCount, max(sum.source, use.value.source))
        }
    }

    // MARK: Writing

    /// What is not stored yet; it counts as stored from now on. If storing fails, return it with `putBack`.
    package mutating func takeUnwritten(in zone: CivilZone) -> UsageBatch {
        var batch = UsageBatch()
        var days: [PersonID: [CivilDate: Set<String>]] = [:]
        for cell in unwritten {
            batch.hours += masks[cell.person]?[cell.app]?[cell.hour] ?? []
            for minute in [cell.hour * 60, cell.hour * 60 + 59] {
                let date = zone.date(of: Date(timeIntervalSince1970: TimeInterval(minute * 60)))
                days[cell.person, default: [:]][date, default: []].insert(cell.app)
            }
        }
        for (person, dates) in days {
            for (date, apps) in dates { batch.days += rollUps(of: person, apps, on: date, in: zone) }
        }
        batch.attempts = attempts.map {
            UsageAttempts(person: $0.key.person, date: $0.key.date, app: $0.key.app, count: $0.value)
        }
        unwritten = []
        attempts = [:]
        return batch
    }

    private func rollUps(of person: PersonID, _ apps: Set<String>, on date: CivilDate, in zone: CivilZone)
        -> [UsageDay]
    {
        let day = Self.wholeMinutes(in: zone.dayStart(date)..<zone.dayStart(date.adding(days: 1)))
        let all = use(of: person, apps: self.apps(of: person), in: day)
        let each = apps.map { app in
            let own = use(of: person, apps: [app], in: day)
            return UsageDay(person: person, date: date, app: app, minutes: own.minutes, source: own.source)
        }
        return each + [
            UsageDay(person: person, date: date, app: nil, minutes: all.minutes, source: all.source)
        ]
    }

    /// Takes back what could not be stored.
    package mutating func putBack(_ batch: UsageBatch) {
        for mask in batch.hours {
            unwritten.insert(Cell(person: mask.person, app: mask.app, hour: mask.hour))
        }
        for entry in batch.attempts {
            attempts[AttemptKey(person: entry.person, date: entry.date, app: entry.app), default: 0] +=
                entry.count
        }
    }
}
