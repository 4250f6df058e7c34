import Foundation

@testable import Policy

/// What is blocked, by which layer and limit: written from the requirements, one name at a time, without using Policy's
/// computations. Only the sleep session is taken as given: nights have their own tests.
struct SlowVerdict {
    struct Answer: Equatable {
        var layer: Layer
        var limits: Set<LimitTarget> = []
    }

    var household: Household
    var catalog: Catalog
    var usage: UsageTotals
    private let clock: TimeZone
    private let greenwich: Calendar

    init(household: Household, catalog: Catalog, usage: UsageTotals) {
        self.household = household
        self.catalog = catalog
        self.usage = usage
        clock = TimeZone(identifier: household.timeZone)!
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0)!
        greenwich = calendar
    }

    /// Nil if allowed.
    func answer(_ name: String, _ person: Person, session: SleepSession?, at now: Date) -> Answer? {
        if isAlwaysReachable(name) { return nil }
        if let session, session.isActive, now < session.endsAt, now < session.cancelsAt ?? .distantFuture,
            !isIn(session.allowed, name)
        {
            return Answer(layer: .sleep)
        }
        if windowsBlock(name, person, at: now) { return Answer(layer: .windows) }
        let held = person.limits.list.map(\.target).filter { limitBlocks(name, $0, person, at: now) }
        return held.isEmpty ? nil : Answer(layer: .limits, limits: Set(held))
    }

    private func isAlwaysReachable(_ name: String) -> Bool {
        catalog.alwaysReachable.contains { entry in
            !(entry.isOptional && household.unreachable.contains(entry.id))
                && (entry.hosts.contains(name) || entry.suffixes.contains { isBelow(name, $0) })
        }
    }

    private func isBelow(_ name: String, _ suffix: String) -> Bool {
        name == suffix || name.hasSuffix("." + suffix)
    }

    private func apps(with name: String) -> [App] {
        (household.ownApps + catalog.apps).filter { app in app.suffixes.contains { isBelow(name, $0) } }
    }

    /// by itself or by its category.
    private func isIn(_ selection: AppSelection, _ name: String) -> Bool {
        selection.domains.contains { isBelow(name, $0) }
            || apps(with: name).contains {
                selection.apps.contains($0.id) || selection.categories.contains($0.category)
            }
    }

    /// C-14, C-16, AR-031; a window that ends no later than it starts ends on the next day.
    private func windowsBlock(_ name: String, _ person: Person, at now: Date) -> Bool {
        let antiRot = person.antiRot
        return setBlocks(name, antiRot.restricted, antiRot.windows, person, at: now)
            || antiRot.otherSets.contains { setBlocks(name, $0.restricted, $0.windows, person, at: now) }
    }

    private func setBlocks(
        _ name: String, _ restricted: AppSelection?, _ windows: [TimeWindow]?, _ person: Person, at now: Date
    ) -> Bool {
        guard let restricted, let windows, isIn(restricted, name) else { return false }
        if let end = person.antiRot.override.overrideExpiresAt, now < end { return false }
        // A date on which no windows hold is open from midnight to midnight.
        if daysAround(now).contains(where: { day in
            weekday(of: day, person) == nil
                && (first(day, 0)..<max(first(day, 0), first(day + 1, 0))).contains(now)
        }) {
            return false
        }
        return !windows.contains { window in
            let (start, end) = (minute(window.start), minute(window.end))
            return daysAround(now).contains { day in
                weekday(of: day, person).map(window.days.contains) == true && first(day, start) <= now
                    && now < first(end <= start ? day + 1 : day, end)
            }
        }
    }

    /// TH-008, TH-010, TH-016 to TH-018; a reached limit stays reached without any count (TH-027).
    private func limitBlocks(_ name: String, _ target: LimitTarget, _ person: Person, at now: Date) -> Bool {
        let limits = person.limits
        func isOnProbation(_ target: LimitTarget) -> Bool {
            limits.probations.contains { $0.target == target && now < $0.expiresAt }
        }
        let held = apps(with: name).filter { app in
            switch target {
            case .app(let id): app.id == id && !isOnProbation(target)
            case .category(let id):
                app.category == id && !isOnProbation(target) && !isOnProbation(.app(app.id))
                    && limits.list.first { $0.target == target }?.leavesOut.contains(app.id) != true
            }
        }
        guard !held.isEmpty, let limit = limits.list.first(where: { $0.target == target }) else {
            return false
        }
        // A day of limits is named by the date on which it began.
        let today = daysAround(now).last { first($0, limits.resetHour * 60) <= now }!
        let monday = today - weekdayIndex(today)
        var day = usage[person.id, target].day
        var week = usage[person.id, target].week
        for entry in limits.reached where entry.target == target {
            if number(entry.day) == today { day = max(day, entry.use.day) }
            if (monday...today).contains(number(entry.day)) { week = max(week, entry.use.week) }
        }
        let granted = limits.extraTime.filter { $0.target == target }
        guard let weekday = weekday(of: today, person) else { return false }
        let minutes = limit.minutesByDay[weekday] ?? limit.minutes
        if day >= minutes + granted.filter({ number($0.day) == today }).map(\.minutes).reduce(0, +) {
            return true
        }
        let thisWeek = granted.filter { (monday...monday + 6).contains(number($0.day)) }
        return limit.weeklyMinutes.map { week >= $0 + thisWeek.map(\.minutes).reduce(0, +) } ?? false
    }
}

// Days as numbers since 1970-01-01, a Thursday.
extension SlowVerdict {
    func daysAround(_ now: Date) -> [Int] {
        let today = Int((wall(now) / 86_400).rounded(.down))
        return Array(today - 1...today + 1)
    }

    func number(_ date: CivilDate) -> Int {
        let parts = DateComponents(year: date.year, month: date.month, day: date.day)
        return Int(greenwich.date(from: parts)!.timeIntervalSince1970 / 86_400)
    }

    private func weekdayIndex(_ day: Int) -> Int { (day + 3) % 7 }

    func weekday(_ day: Int) -> Weekday {
        [.mon, .tue, .wed, .thu, .fri, .sat, .sun][weekdayIndex(day)]
    }

    func minute(_ time: TimeOfDay) -> Int { time.hour * 60 + time.minute }

    /// the first instant at which the wall shows this minute of a day, or later; searched minute by minute.
    func first(_ day: Int, _ minute: Int) -> Date {
        let target = Double(day * 86_400 + minute * 60)
        var instant = Date(timeIntervalSince1970: target)
        let offsets = [-57_600.0, 57_600].map { wall(instant + $0) - (target + $0) }
        instant -= offsets.max()!
        while wall(instant) < target { instant += 60 }
        return instant
    }

    /// The wall's seconds, as if they were UTC.
    private func wall(_ instant: Date) -> Double {
        instant.timeIntervalSince1970 + Double(clock.secondsFromGMT(for: instant))
    }
}
