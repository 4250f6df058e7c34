/// What a change of the rules is about, for the log. Every rule under "My rules" is one of these.
package enum RuleSubject: String, Codable, Sendable, CaseIterable {
    // A person's
    case schedule, tonight, allowedApps, restrictedApps, windows, limits, limitSettings
    case looseningDelay, focusShield, defaultMode, role, name, relayed, dateExceptions, waysOut
    // The household's
    case timeZone, offersHelp, newDevices, alwaysReachable, ownApps, privateAnswers
}

/// A rule differs from what it was before.
package struct RuleChange: Hashable, Sendable {
    /// Nil: the household's rule.
    package let person: PersonID?
    package let subject: RuleSubject

    package init(_ person: PersonID?, _ subject: RuleSubject) {
        self.person = person
        self.subject = subject
    }
}

extension Household {
    /// The rules that differ from those of an earlier household, in the order of people and of `RuleSubject`; the
    /// household's own come last. A waiting change is told when it is requested and when it is taken back.
    package func ruleChanges(since old: Household) -> [RuleChange] {
        let own = changedPeople(since: old).flatMap { before, person in
            person.subjects(since: before).map { RuleChange(person.id, $0) }
        }
        return own + subjects(since: old).map { RuleChange(nil, $0) }
    }

    private func subjects(since old: Household) -> [RuleSubject] {
        let cases: [(RuleSubject, Bool)] = [
            (.timeZone, timeZone != old.timeZone),
            (.offersHelp, offersHelp != old.offersHelp),
            (
                .newDevices,
                newDevicesBelongTo != old.newDevicesBelongTo
                    || newDevicesFollowChildren != old.newDevicesFollowChildren
            ),
            (.alwaysReachable, unreachable != old.unreachable),
            (.ownApps, ownApps != old.ownApps),
            (.privateAnswers, privateAnswers != old.privateAnswers),
        ]
        return cases.filter(\.1).map(\.0)
    }
}

extension Person {
    fileprivate func subjects(since old: Person) -> [RuleSubject] {
        let waiting = Set(Set(pending).symmetricDifference(old.pending).map(\.change.ruleSubject))
        let cases: [(RuleSubject, Bool)] = [
            (.schedule, schedule != old.schedule),
            (.tonight, tonight != old.tonight),
            (.allowedApps, allowed != old.allowed),
            (.restrictedApps, antiRot.sets.map(\.restricted) != old.antiRot.sets.map(\.restricted)),
            (.windows, antiRot.sets.map(\.withoutApps) != old.antiRot.sets.map(\.withoutApps)),
            (.limits, limits.list != old.limits.list),
            (
                .limitSettings,
                limits.resetHour != old.limits.resetHour || limits.unlocksPerDay != old.limits.unlocksPerDay
            ),
            (.looseningDelay, looseningDelay != old.looseningDelay),
            (.focusShield, focus.shieldsWhileFocusing != old.focus.shieldsWhileFocusing),
            (.defaultMode, defaultStrictness != old.defaultStrictness),
            (.role, role != old.role),
            (.name, name != old.name),
            (.relayed, relayed != old.relayed),
            (.waysOut, opensWaysOut != old.opensWaysOut),
            (.dateExceptions, dateExceptions != old.dateExceptions),
        ]
        return cases.filter { $1 || waiting.contains($0) }.map(\.0)
    }
}

extension PendingChange.Change {
    /// What a change is about, as the log names it.
    package var ruleSubject: RuleSubject {
        switch self {
        case .restricted: .restrictedApps
        case .windows, .removeWindowSet: .windows
        case .limit, .removeLimit: .limits
        case .resetHour, .unlocksPerDay: .limitSettings
        case .looseningDelay: .looseningDelay
        case .dateException, .removeDateException: .dateExceptions
        }
    }
}

extension WindowSet {
    fileprivate var withoutApps: WindowSet { WindowSet(id: id, name: name, windows: windows) }
}
