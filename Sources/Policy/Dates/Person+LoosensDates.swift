extension Person {
    /// Whether other exceptions would at any time block less than now, on the dates of one that is added or removed.
    func loosens(_ changed: DateException, with exceptions: [DateException]) -> Bool {
        guard antiRot.isConfigured || !limits.list.isEmpty else { return false }
        var other = self
        other.dateExceptions = exceptions
        return changed.dates.contains { date in
            let (before, after) = (
                dateExceptions.weekday(on: date), exceptions.weekday(on: date)
            )
            return limitsAllow(more: after, than: before) || isNight(of: other, shorterThan: self, on: date)
        } || windowsOpen(more: exceptions, around: changed)
    }

    private func windowsOpen(more exceptions: [DateException], around changed: DateException) -> Bool {
        func open(_ set: WindowSet, _ exceptions: [DateException], on date: CivilDate) -> RangeSet<Int> {
            (set.windows ?? []).openMinutes(
                on: exceptions.weekday(on: date), after: exceptions.weekday(on: date.adding(days: -1)))
        }
        return antiRot.sets.filter(\.isConfigured).contains { set in
            // The windows of the last date may end on the next one.
            (0...changed.days).contains { days in
                let date = changed.first.adding(days: days)
                return !open(set, exceptions, on: date).isSubset(of: open(set, dateExceptions, on: date))
            }
        }
    }

    private func limitsAllow(more after: Weekday?, than before: Weekday?) -> Bool {
        guard !limits.list.isEmpty, let before else { return false }
        guard let after else { return true }
        return limits.list.contains { $0.minutes(on: after) > $0.minutes(on: before) }
    }

    /// By the wall's times: in UTC no clock change moves them.
    private func isNight(of one: Person, shorterThan other: Person, on date: CivilDate) -> Bool {
        guard let night = other.plannedNights(in: .utc)?.planned(on: date) else { return false }
        guard let changed = one.plannedNights(in: .utc)?.planned(on: date) else { return true }
        return night.start < changed.start || changed.end < night.end
    }
}
