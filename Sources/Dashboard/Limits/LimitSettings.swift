package import Pages
package import Policy

/// The settings that all of a person's limits share, as their form shows them.
package struct LimitSettings: Sendable {
    package let hours: [Choice]
    /// Empty means any number.
    package let unlocksPerDay: String
    package let delays: [Choice]
    /// By field name: `resetHour`, `unlocksPerDay`, `looseningDelay`.
    package let errors: [String: String]

    package init(_ person: Person) {
        self.init(
            resetHour: String(person.limits.resetHour),
            unlocksPerDay: person.limits.unlocksPerDay.map { String($0) } ?? "",
            looseningDelay: String(person.looseningDelay))
    }

    /// From refused input.
    package init(
        resetHour: String, unlocksPerDay: String, looseningDelay: String, errors: [String: String] = [:]
    ) {
        hours = (0...23).map {
            Choice(
                String($0), TimeOfDay(hour: $0, minute: 0).text, isSelected: String($0) == resetHour)
        }
        self.unlocksPerDay = unlocksPerDay
        delays = PendingChange.delays.map {
            Choice(String($0), $0 == 0 ? "No wait" : "\($0) hours", isSelected: String($0) == looseningDelay)
        }
        self.errors = errors
    }
}
