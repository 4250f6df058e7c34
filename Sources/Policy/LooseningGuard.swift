// Windows and limits wait before they loosen, where a person chose so (`PendingChange`). What loosens them from the
// side, at once and for good, is refused as long as that holds: another zone, an app that goes with its limit, a device
// that goes. Whoever means it first makes the wait shorter, and that waits.

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
    /// Whether there is anything to loosen, and it waits.
    fileprivate var waitsToLoosen: Bool {
        looseningDelay > 0 && (antiRot.isConfigured || !limits.list.isEmpty)
    }
}
