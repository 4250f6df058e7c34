package import Foundation

/// What happened to a focus timer, for webhooks, notifications and subscribers.
package struct FocusEvent: Hashable, Sendable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case started, paused, resumed, stopped, completed
    }

    package var kind: Kind
    package var person: PersonID
    package var session: UUID
    /// When it was due, which can be before the server noticed.
    package var instant: Date
}

extension Household {
    /// What a change or settling at `now` did to the focus timers, compared with the household before it.
    package func focusEvents(since old: Household, at now: Date) -> [FocusEvent] {
        people.flatMap { person -> [FocusEvent] in
            let before = old[person: person.id]?.focus ?? Focus()
            return person.focus.events(since: before, at: now).map { kind, session, instant in
                FocusEvent(kind: kind, person: person.id, session: session, instant: instant)
            }
        }
    }
}

extension Focus {
    fileprivate func events(since old: Focus, at now: Date) -> [(FocusEvent.Kind, UUID, Date)] {
        var events: [(FocusEvent.Kind, UUID, Date)] = []
        if let session = old.timer.session, session != timer.session {
            let done = old.timer.completion(at: now) ?? finished.first { $0.id == session && $0.completed }
            events.append((done == nil ? .stopped : .completed, session, done?.end ?? now.wholeSecond))
        }
        switch timer.state {
        case .idle: break
        case .running(let running):
            if running.session != old.timer.session {
                events.append((.started, running.session, running.since))
            } else if old.timer.isPaused {
                events.append((.resumed, running.session, running.since))
            }
        case .paused(let paused):
            if old.timer.isRunning && paused.session == old.timer.session {
                events.append((.paused, paused.session, paused.since))
            }
        }
        return events
    }
}
