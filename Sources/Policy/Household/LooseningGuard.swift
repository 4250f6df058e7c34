// Changes that loosen windows and limits wait if a person chose so (`PendingChange`). While they do, changes elsewhere
// that would loosen them at once and for good are refused: another zone, removing an app and so its limit, releasing a
// device. To make such a change, shorten the wait first, and that change waits too. A night is moved or skipped at once
// only if its bedtime is further away than the wait.

import Foundation

extension Household {
    /// Refuses what would loosen the windows or limits of people who wait: of all, or of those that `loosens` picks.
    func guardWaiting(where loosens: (Person) -> Bool = { _ in true }) throws(Refusal) {
        for person in people where person.waitsToLoosen && loosens(person) {
            throw .looseningWaits(of: person.name, hours: person.looseningDelay)
        }
    }

    /// Refuses to release a device on which the rules of a person hold who waits; a medical or safety device may always go.
    /// So may a new one that follows the children only until somebody says whose it is: it was nobody's.
    func guardWaiting(device: Device) throws(Refusal) {
        let isNew = device.family != nil && !device.isConfirmed
        guard !device.kind.isExempt, !isNew else { return }
        let holders = holders(of: device).people
        try guardWaiting { holders.contains($0.id) }
    }
}

extension Person {
    /// Refuses to skip a night or begin it later than planned now, if its bedtime is nearer than the person's wait.
    func guardWaiting(
        _ night: Night, from old: TonightChange?, to new: TonightChange?, at now: Date
    ) throws(Refusal) {
        guard waitsToLoosen, new.minutesLater > old.minutesLater,
            let begins = night.moved(byMinutes: old?.minutes ?? 0)?.start,
            now.addingTimeInterval(TimeInterval(looseningDelay) * 3_600) > begins
        else { return }
        throw .looseningWaits(of: name, hours: looseningDelay)
    }

    /// Whether this person has something to loosen and chose to wait.
    fileprivate var waitsToLoosen: Bool {
        looseningDelay > 0 && (antiRot.isConfigured || !limits.list.isEmpty)
    }
}

extension TonightChange? {
    /// How much later than planned a night begins, in minutes; a skipped night counts as the latest.
    fileprivate var minutesLater: Int {
        switch self?.kind {
        case .skip: .max
        case .later, nil: self?.minutes ?? 0
        }
    }
}
