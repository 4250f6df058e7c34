package import Foundation

/// Whom one press puts to bed: "Children to bed" leaves adults awake.
package enum BedtimeGroup: String, CaseIterable, Hashable, Sendable {
    case children, everybody

    /// `Children to bed`, on the button and in the log.
    package var words: String {
        switch self {
        case .children: "Children to bed"
        case .everybody: "Everybody to bed"
        }
    }

    package func contains(_ person: Person) -> Bool { self == .everybody || person.role == .child }
}

extension Household {
    /// The groups to offer: each has somebody who is awake, and puts others to bed than the next one. For one person, their
    /// own button says it.
    package func bedtimeGroups(at now: Date) -> [BedtimeGroup] {
        let awake = people.filter { $0.runningSession(at: now) == nil }
        guard awake.count > 1 else { return [] }
        return BedtimeGroup.allCases.filter { group in
            group == .everybody || (1..<awake.count).contains(awake.count(where: group.contains))
        }
    }
}
