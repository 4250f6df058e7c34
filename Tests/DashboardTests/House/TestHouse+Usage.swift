import Dashboard
import Policy

extension TestHouse {
    /// So much was used, as the latest snapshot tells it.
    func use(_ uses: [LimitTarget: TargetUse], by person: PersonID = PersonID(rawValue: 1)) {
        var snapshot = site.feed.snapshot
        snapshot.revision += 1
        snapshot.usage = UsageTotals([person: uses])
        site.publish(snapshot)
    }
}
