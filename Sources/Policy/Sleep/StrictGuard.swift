package import Foundation

// While a strict session runs, changes that would loosen it are refused (design.md, "Sleep sessions"). Only what
// affects the running session counts: the schedule, tonight's change, the allowed apps and the default mode concern
// later sessions and stay free. Emergency reset and Help always remain.
//
// A medical or safety device, or one first seen during the session, can be released at any time: a person may need it
// at three in the morning. The mark itself could be a way out (mark the phone medical, release it), so marking a
// sleeping person's device is refused as well, unless it was exempt before. A medical device that was never marked
// still has Help and emergency reset.

extension Person {
    /// Whether a strict session blocks this person at an instant.
    package func isStrict(at now: Date) -> Bool {
        session.map { $0.strictness == .strict && $0.isRunning(at: now) } ?? false
    }
}

extension Household {
    /// Refuses to release a device from people whose strict session holds it.
    func guardStrict(device: Device, at now: Date) throws(Refusal) {
        let holders = holders(of: device).people
        for person in people where holders.contains(person.id) && person.isStrict(at: now) {
            guard let session = person.session, !device.isExempt(from: session) else { continue }
            throw .looseningStrict(of: person.name)
        }
    }

    /// Refuses what would loosen a strict session: any, or those that `loosens` picks.
    func guardStrict(
        at now: Date, where loosens: (SleepSession) -> Bool = { _ in true }
    ) throws(Refusal) {
        for person in people where person.isStrict(at: now) {
            if let session = person.session, loosens(session) { throw .looseningStrict(of: person.name) }
        }
    }
}

extension Device {
    /// Whether it may be released while a strict session of its owner runs.
    fileprivate func isExempt(from session: SleepSession) -> Bool {
        // A session's start is a whole second: a device seen within that second may have been there before.
        kind.isExempt || firstSeen >= session.startedAt.addingTimeInterval(1)
    }
}

extension Device.Kind {
    /// A person's health or safety depends on it.
    package var isExempt: Bool { self == .medical || self == .safety }
}
