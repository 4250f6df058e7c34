package import Foundation

// While a strict session runs, what would loosen it is refused (design.md, "Sleep sessions"). Only what takes
// effect on the running session counts: the schedule, tonight's change, the allowed apps and the default mode
// speak of later sessions and stay free. Emergency reset and help always remain.
//
// A device marked medical or safety, or first seen during the session, can be released at any time: somebody may
// need it at three in the morning. The mark itself could then be a way out (mark the phone medical, release it),
// so marking a device of a sleeping person is refused as well, unless it was exempt before. A device that is
// medical in truth and was never marked still has help and emergency reset.

extension Person {
    /// Whether a strict session blocks this person at an instant.
    package func isStrict(at now: Date) -> Bool {
        session.map { $0.strictness == .strict && $0.isRunning(at: now) } ?? false
    }
}

extension Household {
    /// Refuses to let a device go from the person whose strict session holds it.
    func guardStrict(device: Device, at now: Date) throws(Refusal) {
        guard let owner = device.person.flatMap({ self[person: $0] }), owner.isStrict(at: now),
            let session = owner.session, !device.isExempt(from: session)
        else { return }
        throw .looseningStrict(of: owner.name)
    }

    /// Refuses what would loosen any strict session, or those of which `loosens` says so.
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
        // A session's start is said in whole seconds: whoever was seen in that second may have been there before it.
        kind.isExempt || firstSeen >= session.startedAt.addingTimeInterval(1)
    }
}

extension Device.Kind {
    /// Somebody's health or safety hangs on it.
    package var isExempt: Bool { self == .medical || self == .safety }
}
