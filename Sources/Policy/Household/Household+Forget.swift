package import Foundation

extension Household {
    /// Lets go of what no rule and no page asks for any more: by its age only while the kernel calls the clock
    /// synchronised, otherwise only of what has become too much. A clock that is ahead for a while costs nothing, and
    /// to forget late costs nothing either.
    package mutating func forget(at now: Date, isSynchronised: Bool) {
        for index in people.indices {
            if isSynchronised { people[index].forgetOld(at: now, in: zone) }
            people[index].limits.extraTime.keepLast(Limits.mostKept)
            people[index].limits.requests.keepLast(Limits.mostKept)
            people[index].wishes.keepLast(Limits.mostKept)
        }
        if isSynchronised { forgetPassing(at: now) } else { keepPassing(200, at: now) }
    }
}

extension Person {
    /// Grants count for their week; what is dated a little ahead stays, because a clock that jumped may come back.
    fileprivate mutating func forgetOld(at now: Date, in zone: CivilZone) {
        let week = limits.day(at: now, in: zone).week
        let kept = week.lowerBound.adding(days: -7)...week.upperBound.adding(days: 7)
        limits.extraTime.removeAll { !kept.contains($0.day) }
        limits.requests = requests(at: now, in: zone)
        wishes = wishes(at: now)
    }

    /// What was asked on this day of limits: about another day's nothing can be granted any more. A day ahead is
    /// forgiven.
    package func requests(at now: Date, in zone: CivilZone) -> [TimeRequest] {
        let day = limits.day(at: now, in: zone)
        return limits.requests.filter { (day.start..<day.end + 86_400).contains($0.askedAt) }
    }

    /// What is not over: a wish about a night goes with the night (`settleWishes`), one about an app within a day.
    package func wishes(at now: Date) -> [Wish] {
        wishes.filter { wish in
            let latest = wish.answeredAt ?? wish.askedAt
            return wish.what.night != nil || abs(now.timeIntervalSince(latest)) < Wish.lifetime
        }
    }
}

extension Limits {
    /// How many questions, and how many grants, one person has at the most.
    fileprivate static let mostKept = 200
}

extension Array {
    fileprivate mutating func keepLast(_ most: Int) { removeFirst(Swift.max(0, count - most)) }
}
