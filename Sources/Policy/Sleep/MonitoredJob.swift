package import Foundation

/// What the one loop watches, by the names that the sources give it: `sleepSession` is a session started by hand, until
/// its own end; `nightlySchedule` is a night; `blocked-period-0` and so on are the gaps between
/// Anti-Rot's windows, and `override` is its "I'm Eating".
package struct MonitoredJob: Hashable, Sendable {
    package let name: String
    package let person: PersonID
    /// When it ends if nothing changes.
    package let end: Date?
}

extension Household {
    /// What runs at an instant, by person.
    package func jobs(at now: Date) -> [MonitoredJob] {
        let zone = self.zone
        return people.flatMap { person in
            [person.sessionJob(at: now)].compactMap { $0 } + person.windowsJobs(at: now, in: zone)
                + [person.overrideJob(at: now)].compactMap { $0 }
        }
    }
}

extension Person {
    fileprivate func sessionJob(at now: Date) -> MonitoredJob? {
        session.flatMap { session in
            guard session.isRunning(at: now) else { return nil }
            let name = session.night == nil ? "sleepSession" : "nightlySchedule"
            return MonitoredJob(name: name, person: id, end: session.endsAt)
        }
    }

    fileprivate func overrideJob(at now: Date) -> MonitoredJob? {
        antiRot.override.end(at: now).map { MonitoredJob(name: "override", person: id, end: $0) }
    }

    /// The gaps of a set with a name have it behind them: `blocked-period-0 (Games)`.
    fileprivate func windowsJobs(at now: Date, in zone: CivilZone) -> [MonitoredJob] {
        let (today, time) = (zone.date(of: now), zone.time(of: now))
        return antiRot.sets.compactMap { set in
            let status = windowsStatus(of: set, at: now, in: zone)
            let periods = blockedPeriods(of: set, on: today)
            // In an hour that the clock shows twice, the gap may have begun when it was later by the clock.
            guard status.isBlocked,
                let period = periods.last(where: { $0.start <= time }) ?? periods.first
            else { return nil }
            let name = set.id == nil ? period.name : "\(period.name) (\(set.name))"
            return MonitoredJob(name: name, person: id, end: status.until)
        }
    }
}
