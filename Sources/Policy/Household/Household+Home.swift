package import Foundation

extension Household {
    /// Chooses the zone of every wall-clock time. A night that is done stays done under its new date.
    package mutating func setTimeZone(_ identifier: String, at now: Date) throws(Refusal) {
        guard let new = CivilZone(identifier) else { throw .unknownZone }
        guard identifier != timeZone else { return }
        try guardStrict(at: now)
        try guardWaiting()
        let old = zone
        timeZone = identifier
        for index in people.indices {
            people[index].redateNightDone(
                from: people[index].nights(in: old), to: people[index].nights(in: new))
            people[index].dropTonight(unlessPendingAt: now, in: new)
        }
    }

    /// Chooses which optional always-reachable entries are unticked; ticking one again opens something.
    package mutating func setUnreachable(
        _ ids: Set<String>, catalog: Catalog, at now: Date
    ) throws(Refusal) {
        for id in ids.sorted() {
            guard let entry = catalog.alwaysReachable.first(where: { $0.id == id }) else {
                throw .unknownIDs([id])
            }
            guard entry.isOptional else { throw .notOptional(id) }
        }
        if !unreachable.isSubset(of: ids) { try guardStrict(at: now) }
        unreachable = ids
    }

    /// Writes down what was set before this server, for the way back; empty forgets it. At most 200 characters.
    package mutating func noteFormerDNS(_ typed: String) throws(Refusal) {
        let text = CleanName.cleaned(typed)
        guard text.unicodeScalars.count <= Self.longestFormerDNS else { throw .noteTooLong }
        formerDNS = text
    }

    package static let longestFormerDNS = 200

    /// The owner of a device that was never seen before; nil for nobody.
    package mutating func setNewDevices(belongTo person: PersonID?) throws(Refusal) {
        if let person { try guardMember(person) }
        newDevicesBelongTo = person
        newDevicesFollowChildren = false
    }

    /// A device that was never seen before follows every child until somebody says whose it is.
    package mutating func letNewDevicesFollowChildren() {
        newDevicesBelongTo = nil
        newDevicesFollowChildren = true
    }

    /// How the family's rules hold on such a device; nil: they do not.
    package var familyOfNew: FamilyUse? {
        newDevicesFollowChildren && newDevicesBelongTo == nil ? FamilyUse(.anyChild) : nil
    }
}
