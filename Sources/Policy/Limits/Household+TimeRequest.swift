package import Foundation

extension Household {
    /// Whether another adult could answer: people cannot ask themselves.
    package func canAsk(_ id: PersonID) -> Bool { people.contains { $0.id != id && $0.role == .adult } }

    /// "Ask for 15 more minutes", which another adult answers. If the catalog is given, an app that its category's
    /// limit blocks asks for the category. An open request for the same target is returned again. A "no" holds for the
    /// rest of the day of limits.
    @discardableResult
    package mutating func askForTime(
        _ id: PersonID, target: LimitTarget, reason: String? = nil, device: DeviceID?, request: UUID,
        catalog: Catalog? = nil, usage: UsageTotals = .none, at now: Date
    ) throws(Refusal) -> TimeRequest {
        let index = try index(of: id)
        let reason = try CleanName.checkedReason(reason)
        guard canAsk(id) else { throw .nobodyToAsk }
        let all = (catalog ?? Catalog(categories: [], apps: [], alwaysReachable: [])).adding(ownApps)
        let held = try people[index].reachedLimit(on: target, all, at: now, in: zone, usage)
        guard let held = held?.limit.target else { throw .limitNotReached }
        let today = people[index].requests(at: now, in: zone).filter { $0.target == held }
        if let open = today.first(where: { $0.answer == .open }) { return open }
        guard !today.contains(where: { $0.answer == .declined }) else { throw .requestAnswered }
        let asked = TimeRequest(id: request, target: held, reason: reason, device: device, askedAt: now)
        people[index].limits.requests.append(asked)
        return asked
    }

    /// Answers a request once. A grant gives 15 minutes from now on, for the rest of the day of limits, in the day's
    /// and the week's budget. Minutes already used past a budget, by unlocks, are granted with it.
    package mutating func answerRequest(
        _ id: PersonID, request: UUID, grant: Bool, usage: UsageTotals = .none, at now: Date
    ) throws(Refusal) {
        let index = try index(of: id)
        let person = people[index]
        guard person.requests(at: now, in: zone).contains(where: { $0.id == request }),
            let place = person.limits.requests.firstIndex(where: { $0.id == request })
        else { throw .unknownRequest }
        let asked = person.limits.requests[place]
        guard asked.answer == .open else { throw .requestAnswered }
        if grant {
            let state = person.limitStates(at: now, in: zone, usage: usage).first {
                $0.limit.target == asked.target
            }
            guard let state else { throw .unknownLimit }
            people[index].limits.grant(
                TimeRequest.minutes, over: state, on: person.limits.day(at: now, in: zone).date)
        }
        people[index].limits.requests[place].answer = grant ? .granted : .declined
        people[index].limits.requests[place].answeredAt = now
    }
}

extension Limits {
    /// Minutes added to a limit on one day.
    package struct Extra: Hashable, Sendable {
        /// Minutes that were granted.
        package var given: Int
        /// Minutes that had been used past the limit by then.
        package var past: Int
    }

    package func extra(for target: LimitTarget, on day: LimitDay) -> Extra {
        let today = extraTime.filter { $0.target == target && $0.day == day.date }
        let past = today.map(\.past).reduce(0, +)
        return Extra(given: today.map(\.minutes).reduce(0, +) - past, past: past)
    }

    /// Minutes from now on: those used past the limit are granted with them. Keeps one entry for each day and target.
    mutating func grant(_ minutes: Int, over state: LimitState, on day: CivilDate) {
        let (target, past) = (state.limit.target, state.minutesOver)
        if let known = extraTime.firstIndex(where: { $0.target == target && $0.day == day }) {
            extraTime[known].minutes += minutes + past
            extraTime[known].past += past
        } else {
            extraTime.append(ExtraTime(target: target, day: day, minutes: minutes + past, past: past))
        }
    }
}
