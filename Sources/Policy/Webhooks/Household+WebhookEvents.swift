package import Foundation

extension Household {
    /// The events of a change at `now`, compared with the household before it. In the order of people, and for each:
    /// focus, sleep, limits, wishes, leaving; ways out come last.
    ///
    /// - Parameter ended: sessions that ended, which the household no longer knows.
    package func webhookEvents(
        since old: Household, ended: [SessionEvent], catalog: Catalog, at now: Date
    ) -> [WebhookEvent] {
        let focus = focusEvents(since: old, at: now)
        let rules = ruleEvents(since: old, at: now)
        return people.flatMap { person -> [WebhookEvent] in
            let before = old[person: person.id]
            return focus.filter { $0.person == person.id }.map {
                person.told($0, before: before?.focus.timer)
            }
                + ended.filter { $0.person == person.id }.compactMap { person.told($0) }
                + [person.sleepStarted(since: before)].compactMap { $0 }
                + rules.filter { $0.person == person.id }.compactMap { person.told($0, catalog) }
                + person.timeAsked(since: before, catalog)
                + person.wishes(since: before, catalog, at: now)
                + leaving(of: person, since: old, at: now)
        } + waysOut(since: old, at: now)
    }

    /// Each machine makes them of the same change, so that the household tells once.
    private func waysOut(since old: Household, at now: Date) -> [WebhookEvent] {
        waysOutTold(since: old).map {
            event(.noticeRaised, finding($0.seen.kind, on: $0.device), at: min($0.seen.due, now))
        }
            + waysOutMended(since: old).map {
                event(.noticeCleared, finding($0.seen.kind, on: $0.device), at: now)
            }
    }
}

extension Person {
    private func event(
        _ kind: WebhookEvent.Kind, _ instant: Date, _ details: [String: WebhookEvent.Detail] = [:]
    ) -> WebhookEvent {
        WebhookEvent(kind: kind, person: id, name: name, instant: instant, details: details)
    }

    fileprivate func told(_ happened: FocusEvent, before: FocusTimer?) -> WebhookEvent {
        let timer = focus.timer
        let remaining = WebhookEvent.Detail.number(timer.remaining(at: happened.instant))
        var details: [String: WebhookEvent.Detail] = [:]
        if let end = timer.endsAt { details["endsAt"] = .instant(end) }
        switch happened.kind {
        case .started:
            details["totalSeconds"] = .number(timer.totalSeconds)
            return event(.focusStarted, happened.instant, details)
        case .paused: return event(.focusPaused, happened.instant, ["remainingSeconds": remaining])
        case .resumed:
            details["remainingSeconds"] = remaining
            return event(.focusResumed, happened.instant, details)
        case .stopped: return event(.focusStopped, happened.instant)
        case .completed:
            let total = WebhookEvent.Detail.number((before ?? timer).totalSeconds)
            return event(.focusCompleted, happened.instant, ["totalSeconds": total])
        }
    }

    fileprivate func told(_ happened: SessionEvent) -> WebhookEvent? {
        guard case .ended(let reason) = happened.kind else { return nil }
        let kind: WebhookEvent.Kind =
            switch reason {
            case .elapsed: .sleepEnded
            case .cancelled, .paused: .sleepCancelled
            case .reset: .sleepReset
            }
        return event(
            kind, happened.instant,
            [
                "mode": .text(happened.session.mode.word),
                "startedAt": .instant(happened.session.startedAt),
            ])
    }

    fileprivate func sleepStarted(since before: Person?) -> WebhookEvent? {
        guard let session, session.isActive, session.id != before?.session?.id else { return nil }
        return event(
            .sleepStarted, session.startedAt,
            [
                "mode": .text(session.mode.word), "strictness": .text(session.strictness.rawValue),
                "endsAt": .instant(session.endsAt),
            ])
    }

    fileprivate func told(_ happened: RuleEvent, _ catalog: Catalog) -> WebhookEvent? {
        guard case .limitReached(let target) = happened.kind else { return nil }
        return event(.limitReached, happened.instant, ["limit": .text(catalog.name(of: target))])
    }

    /// "Ask for 15 more minutes", pressed on a limit's shield.
    fileprivate func timeAsked(since before: Person?, _ catalog: Catalog) -> [WebhookEvent] {
        let known = Set(before?.limits.requests.map(\.id) ?? [])
        return limits.requests.filter { $0.answer == .open && !known.contains($0.id) }.map {
            var asked = event(
                .extraTimeAsked, $0.askedAt,
                ["limit": .text(catalog.name(of: $0.target)), "minutes": .number(TimeRequest.minutes)]
                    .adding(reason: $0.reason))
            asked.question = $0.id
            return asked
        }
    }
}

extension ScheduleMode {
    fileprivate var word: String {
        switch self {
        case .manual: "manual"
        case .recurring: "recurring"
        }
    }
}
