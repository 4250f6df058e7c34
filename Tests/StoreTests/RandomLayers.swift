import Foundation
import Policy

extension RandomHousehold {
    /// Nil and empty mean different things for the chosen apps (AR-018) and for the windows (C-14).
    mutating func antiRot() -> AntiRot {
        AntiRot(
            restricted: maybe(maybe(selection()) ?? AppSelection()), windows: maybe(few { $0.window() }),
            override: OverrideState(
                lastUsedDate: maybe(instant()), overrideExpiresAt: maybe(instant())))
    }

    mutating func window() -> TimeWindow {
        TimeWindow(
            id: uuid(), label: maybe(name()) ?? "", start: time(0...11), end: time(12...23), days: days())
    }

    mutating func limits() -> Limits {
        Limits(
            list: few(4) { $0.limit() }.unique(by: \.target), resetHour: .random(in: 0...23, using: &random),
            unlocksPerDay: maybe(.random(in: 0...1_000, using: &random)),
            unlocks: maybe(Limits.DayCount(day: night(), count: .random(in: 0...9, using: &random))),
            probations: few {
                Probation($0.uuid(), target: $0.target(), at: $0.instant())
            },
            reached: few {
                ReachedLimit(
                    target: $0.target(), day: $0.night(),
                    use: TargetUse(day: $0.minutes(), week: $0.minutes()),
                    since: $0.instant())
            }.unique(by: \.target),
            extraTime: few { ExtraTime(target: $0.target(), day: $0.night(), minutes: $0.minutes()) }
                .unique { [AnyHashable($0.target), AnyHashable($0.day)] },
            requests: few { $0.request() })
    }

    mutating func limit() -> UsageLimit {
        let days = self.days().map { ($0, minutes()) }
        return UsageLimit(
            id: uuid(), target: target(), minutes: minutes(),
            minutesByDay: maybe(Dictionary(uniqueKeysWithValues: days)) ?? [:],
            weeklyMinutes: maybe(minutes()), leavesOut: maybe([name(), name()]) ?? [])
    }

    /// The device may not exist.
    mutating func request() -> TimeRequest {
        let answer = TimeRequest.Answer.allCases.randomElement(using: &random)!
        return TimeRequest(
            id: uuid(), target: target(), reason: maybe("Because of " + name()),
            device: maybe(DeviceID(rawValue: .random(in: 1...14, using: &random))),
            askedAt: instant(), answer: answer, answeredAt: answer == .open ? nil : instant())
    }

    /// The device may not exist.
    mutating func wish() -> Wish {
        let answer = TimeRequest.Answer.allCases.randomElement(using: &random)!
        let what = [Wish.What.app(name()), .later(night()), .skip(night())].randomElement(using: &random)!
        return Wish(
            id: uuid(), what: what, reason: maybe("Because of " + name()),
            device: maybe(DeviceID(rawValue: .random(in: 1...14, using: &random))),
            askedAt: instant(), answer: answer, answeredAt: answer == .open ? nil : instant())
    }

    mutating func pending() -> [PendingChange] {
        few(4) { PendingChange(id: $0.uuid(), due: $0.instant(), change: $0.change()) }
    }

    mutating func change() -> PendingChange.Change {
        switch Int.random(in: 0...8, using: &random) {
        case 0: .restricted(selection())
        case 1: .windows(few { $0.window() })
        case 2: .limit(limit())
        case 3: .removeLimit(target())
        case 4: .resetHour(.random(in: 0...23, using: &random))
        case 5: .unlocksPerDay(maybe(.random(in: 0...9, using: &random)))
        case 6: .dateException(dateException())
        case 7: .removeDateException(uuid())
        default: .looseningDelay(hours: PendingChange.delays.randomElement(using: &random)!)
        }
    }

    mutating func dateException() -> DateException {
        let first = night()
        let instead: DateException.Instead =
            switch Int.random(in: 0...2, using: &random) {
            case 0: .weekday(Weekday.allCases.randomElement(using: &random)!)
            case 1: .times(start: time(20...23), end: time(0...9))
            default: .nothing
            }
        return DateException(
            id: uuid(), first: first, last: first.adding(days: .random(in: 0...9, using: &random)),
            instead: instead)
    }

    mutating func target() -> LimitTarget {
        Bool.random(using: &random) ? .app(name()) : .category(name())
    }

    mutating func minutes() -> Int { .random(in: 1...1_440, using: &random) }
}

extension Array {
    /// Keeps the first element of each key.
    fileprivate func unique(by key: (Element) -> some Hashable) -> [Element] {
        var seen: Set<AnyHashable> = []
        return filter { seen.insert(AnyHashable(key($0))).inserted }
    }
}
