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
            [person.sessionJob(at: now), person.windowsJob(at: now, in: zone), person.overrideJob(at: now)]
                .compactMap { $0 }
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

    fileprivate func windowsJob(at now: Date, in zone: CivilZone) -> MonitoredJob? {
        let status = windowsStatus(at: now, in: zone)
        guard status.isBlocked, let day = dateExceptions.weekday(on: zone.date(of: now)) else { return nil }
        let time = zone.time(of: now)
        let period = antiRot.blockedPeriods(on: day).last { $0.start <= time }
        return period.map { MonitoredJob(name: $0.name, person: id, end: status.until) }
    }
}
