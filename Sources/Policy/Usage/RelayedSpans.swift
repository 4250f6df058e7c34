package import Foundation

/// The apps, by person, that the relay counts, and when it stopped. From then on look-ups count again, even
/// within an hour that the relay has counted.
package struct RelayedSpans: Sendable {
    private var people: [Person] = []
    private var ownApps: [App] = []
    private var apps: [PersonID: Set<String>] = [:]
    /// The minute since 1970 in which relaying ended.
    private var ended: [PersonID: [String: Int]] = [:]
    /// The minute in which this server started. The hour before it is unknown: the relay may have counted all of it.
    private let begun: Int

    package init(at now: Date) { begun = now.second.minute }

    /// Takes over what people chose; cheap if nothing changed.
    package mutating func follow(_ household: Household, in catalog: Catalog, at now: Date) {
        guard household.people != people || household.ownApps != ownApps else { return }
        (people, ownApps) = (household.people, household.ownApps)
        let all = catalog.adding(ownApps)
        let before = apps
        apps = [:]
        for person in people where person.relayed.isOn { apps[person.id] = all.relayedApps(of: person) }
        for (person, known) in before {
            for app in known.subtracting(apps[person] ?? []) {
                ended[person, default: [:]][app] = now.second.minute
            }
        }
        ended = ended.filter { each in people.contains { $0.id == each.key } }
    }

    package func contains(_ app: String, of person: PersonID) -> Bool { apps[person]?.contains(app) ?? false }

    /// The part of a change from look-ups that lies wholly after relaying ended; nil while it goes on.
    package func rest(of change: UsageChange) -> UsageChange? {
        guard !contains(change.app, of: change.person) else { return nil }
        let first = (ended[change.person]?[change.app] ?? begun) + 1
        guard change.range.upperBound >= first else { return nil }
        var rest = change
        rest.range = max(change.range.lowerBound, first)...change.range.upperBound
        rest.minutes = change.minutes.filter { $0.upperBound >= first }.map {
            max($0.lowerBound, first)...$0.upperBound
        }
        return rest
    }
}
