import Dashboard
import Policy

extension TestHouse {
    /// Publishes a snapshot with this use.
    func use(_ uses: [LimitTarget: TargetUse], by person: PersonID = PersonID(rawValue: 1)) {
        var snapshot = site.feed.snapshot
        snapshot.revision += 1
        snapshot.usage = UsageTotals([person: uses])
        site.publish(snapshot)
    }
}
