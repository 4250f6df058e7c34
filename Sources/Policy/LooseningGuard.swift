// Windows and limits wait before they loosen, where a person chose so (`PendingChange`). What loosens them from the
// side, at once and for good, is refused as long as that holds: another zone, an app that goes with its limit, a device
// that goes. Whoever means it first makes the wait shorter, and that waits. A night is moved or skipped at once where the
// change would have waited to its end before the bedtime anyway.

import Foundation

extension Household {
    /// Refuses what would loosen windows or limits of anybody who waits, or of those of whom `loosens` says so.
    func guardWaiting(where loosens: (Person) -> Bool = { _ in true }) throws(Refusal) {
        for person in people where person.waitsToLoosen && loosens(person) {
            throw .looseningWaits(of: person.name, hours: person.looseningDelay)
        }
    }

    /// Refuses to let a device go from a person who waits; one marked medical or safety may always go.
    func guardWaiting(device: Device) throws(Refusal) {
        guard !device.kind.isExempt else { return }
        try guardWaiting { $0.id == device.person }
    }
}

extension Person {
    /// Refuses to let a night begin later than it would now, or not at all, nearer to its bedtime than loosening waits.
    func guardWaiting(
        _ night: Night, from old: TonightChange?, to new: TonightChange?, at now: Date
    ) throws(Refusal) {
        guard waitsToLoosen, new.minutesLater > old.minutesLater,
            let begins = night.later(byMinutes: old?.minutes ?? 0)?.start,
            now.addingTimeInterval(TimeInterval(looseningDelay) * 3_600) > begins
        else { return }
        throw .looseningWaits(of: name, hours: looseningDelay)
    }

    /// Whether there is anything to loosen, and it waits.
    fileprivate var waitsToLoosen: Bool {
        looseningDelay > 0 && (antiRot.isConfigured || !limits.list.isEmpty)
    }
}

extension TonightChange? {
    /// How much later than planned a night begins, in minutes; one that is skipped begins last of all.
    fileprivate var minutesLater: Int {
        switch self?.kind {
        case .skip: .max
        case .later, nil: self?.minutes ?? 0
        }
    }
}
