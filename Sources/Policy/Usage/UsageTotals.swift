/// Minutes of use of one app or category: in the current `LimitDay`, and in the week that it lies in.
package struct TargetUse: Hashable, Codable, Sendable {
    package var day: Int
    package var week: Int

    package init(day: Int = 0, week: Int = 0) {
        self.day = day
        self.week = week
    }
}

/// The use that limits are checked against, as of one instant: of every limit's target, by person.
package struct UsageTotals: Hashable, Sendable {
    /// Nothing counted.
    package static let none = UsageTotals()

    private var uses: [PersonID: [LimitTarget: TargetUse]]

    package init(_ uses: [PersonID: [LimitTarget: TargetUse]] = [:]) { self.uses = uses }

    package subscript(person: PersonID, target: LimitTarget) -> TargetUse {
        get { uses[person]?[target] ?? TargetUse() }
        set { uses[person, default: [:]][target] = newValue }
    }

    /// Everything counted for one person.
    package subscript(person: PersonID) -> [LimitTarget: TargetUse] { uses[person] ?? [:] }
}
