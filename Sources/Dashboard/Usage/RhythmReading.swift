import Foundation
import Pages
import Policy
import Store

extension Desk {
    /// Today, of everybody whose use the asker may see.
    func rhythms(for asker: Asker) throws -> [PersonID: DayRhythm] {
        let today = asker.household.zone.date(of: asker.now)
        return try asker.household.people.filter { asker.seesUsage(of: $0) }.reduce(into: [:]) {
            days, person in
            days[person.id] = try rhythm(of: person, in: asker.household, on: today, at: asker.now)
        }
    }

    /// The morning after the person's night, or the dusk before their next one. Only those who may see their minutes
    /// see their mornings.
    func edge(of asker: Asker, bedtime: Date?) throws -> NightEdge? {
        let morning =
            asker.seesUsage
            ? try store.morning(of: asker.person, in: asker.household.zone, at: asker.now) : nil
        return NightEdge(morning: morning, bedtime: asker.isSessionRunning ? nil : bedtime, at: asker.now)
    }

    /// A person's day as one value. Windows are kept without their history, so only today has them.
    ///
    /// `use` is in minutes since 1970; nil reads all the day's use.
    func rhythm(
        of person: Person, in household: Household, on date: CivilDate, use: [Range<Int>]? = nil, at now: Date
    ) throws -> DayRhythm {
        let zone = household.zone
        let isToday = date == zone.date(of: now)
        let (start, end) = (zone.dayStart(date), zone.dayStart(date.adding(days: 1)))
        let nights = try store.pastSessions(of: person.id, before: end, limit: 20).map(PastNight.init)
        let running = person.running(at: now)
        // A session that takes a night with it leaves nothing of that night to come.
        let nightsLeft = isToday ? person.onceEnded(running, in: zone).nights(in: zone) : nil
        let coming = nightsLeft?.upcoming(from: now, count: 2) ?? []
        let timer: [Range<Date>] =
            if case .running(let run) = person.focus.timer.state, run.start < now { [run.start..<now] } else {
                []
            }
        // A focus session lasts a day at most.
        let focus = try store.focusSessions(of: person.id, from: start.addingTimeInterval(-86_400), to: end)
        let windows = isToday ? person.openSpans(on: date, in: zone) : []
        return DayRhythm(
            date, in: zone,
            spans: [
                .sleep: nights.filter { !$0.wasTakenBack }.map { $0.start..<$0.end }
                    + (running.map { [$0.startedAt..<$0.endsAt] } ?? []),
                .bedtime: coming.filter { $0.start > now }.map { $0.start..<$0.end },
                .focus: focus.map { $0.start..<$0.end } + timer,
                .windows: windows,
            ],
            use: try use ?? store.usage(of: person.id, on: date).total.spans,
            reached: person.limits.reached.map { ($0.target, $0.since) })
    }
}
