// What a document can hold and no rule makes, because it is damaged, or points at what is gone.

extension UsageLimit {
    /// Whether somebody can have set it so.
    var isPossible: Bool {
        Self.range.contains(minutes) && minutesByDay.values.allSatisfy(Self.range.contains)
            && weeklyMinutes.map(Self.weeklyRange.contains) ?? true
    }
}

extension TimeWindow {
    fileprivate var isPossible: Bool { start != end && !days.isEmpty }
}

extension RecurringSchedule {
    fileprivate var isPossible: Bool { start != end && !days.isEmpty }
}

extension ScheduleException {
    fileprivate var isPossible: Bool { start != end && !days.isEmpty }
}

extension FocusSession {
    fileprivate var isPossible: Bool { (0...FocusTimer.totals.upperBound).contains(durationSeconds) }
}

extension PendingChange.Change {
    fileprivate var isPossible: Bool {
        switch self {
        case .restricted, .removeWindowSet, .limit, .removeLimit: true
        case .windows(let windows, _): windows.allSatisfy(\.isPossible)
        case .resetHour(let hour): Limits.resetHours.contains(hour)
        case .unlocksPerDay(let count): count.map(Limits.unlockCounts.contains) ?? true
        case .looseningDelay(let hours): PendingChange.delays.contains(hours)
        case .dateException, .removeDateException: true
        }
    }
}

extension Person {
    /// More minutes than grants of a day or a week can add up to, and more presses than a day has room for.
    private static let minutes = 1...100_000
    private static let presses = 0...1_000_000

    /// Without values that no rule can make. A window that cannot be opens nothing.
    package var withoutImpossible: Person {
        var person = self
        if person.schedule?.isPossible == false { person.schedule = nil }
        person.schedule?.exceptions.removeAll { !$0.isPossible }
        person.antiRot.windows?.removeAll { !$0.isPossible }
        person.antiRot.otherSets.removeAll { $0.id == nil }
        for set in antiRot.otherSets { person.antiRot[set: set.id]?.windows?.removeAll { !$0.isPossible } }
        person.focus.finished.removeAll { !$0.isPossible }
        person.pending.removeAll { !$0.change.isPossible }
        if !Limits.resetHours.contains(limits.resetHour) { person.limits.resetHour = 0 }
        if let count = limits.unlocksPerDay, !Limits.unlockCounts.contains(count) {
            person.limits.unlocksPerDay = 0
        }
        // Sums of these must not overflow.
        person.limits.extraTime.removeAll {
            !Self.minutes.contains($0.minutes) || !(0...$0.minutes).contains($0.past)
        }
        if let count = limits.unlocks?.count, !Self.presses.contains(count) {
            person.limits.unlocks?.count = Self.presses.upperBound
        }
        if let count = helpPresses?.count, !Self.presses.contains(count) { person.helpPresses = nil }
        if !PendingChange.delays.contains(looseningDelay) {
            person.looseningDelay = PendingChange.delays.max() ?? 0
        }
        return person
    }
}

extension Device {
    /// Without values that no rule can make.
    package var withoutImpossible: Device {
        var device = self
        if device.person != nil { device.family = nil }
        if device.hardwareAddress?.isHardwareAddress == false { device.hardwareAddress = nil }
        device.formerHardwareAddresses.removeAll { !$0.isHardwareAddress }
        if device.trustedAuthority?.isFingerprint == false { device.trustedAuthority = nil }
        return device
    }
}

extension String {
    /// Lower-case `aa:bb:cc:dd:ee:ff`.
    fileprivate var isHardwareAddress: Bool {
        let parts = split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 6 && parts.allSatisfy { $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isHexDigit) }
    }

    /// A SHA-256 in lower-case hex digits.
    fileprivate var isFingerprint: Bool { utf8.count == 64 && utf8.allSatisfy(\.isHexDigit) }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self) }
}

extension Household {
    /// Without values that no rule can make: an own app with an id of the catalog would take its place.
    package var withoutImpossible: Household {
        var house = self
        house.ownApps.removeAll { !$0.id.hasPrefix("own-") }
        return house
    }

    /// In order of ids, and with nothing that points at a person or a device who is gone.
    ///
    /// - Parameter known: a household that is so already; devices that are the same there are not looked at again.
    package func withoutDangling(after known: Household? = nil) -> Household {
        var house = self
        // Nothing is written where nothing is amiss: what stays the same array compares at once.
        let order = house.people.map(\.id.rawValue)
        if order != order.sorted() { house.people.sort { $0.id.rawValue < $1.id.rawValue } }
        let people = Set(house.people.map(\.id))
        // Made only if a person's entries name devices.
        lazy var devices = Set(house.devices.map(\.id))
        for index in house.people.indices.filter({ house.people[$0].namesOthers(than: devices) }) {
            house.people[index].forget(allBut: devices)
        }
        if let owner = newDevicesBelongTo, !people.contains(owner) { house.newDevicesBelongTo = nil }
        if known?.devices == house.devices, known?.people.map(\.id) == house.people.map(\.id) { return house }
        let ids = house.devices.indices.map { house.devices[$0].id }
        if !zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) { house.devices.sort { $0.id < $1.id } }
        for index in house.devices.indices.filter({ house.devices[$0].knowsOthers(than: people, devices) }) {
            house.devices[index].forget(allBut: people, devices)
        }
        return house
    }
}

extension Person {
    fileprivate func namesOthers(than devices: @autoclosure () -> Set<DeviceID>) -> Bool {
        limits.requests.contains { !devices().has($0.device) }
            || wishes.contains { !devices().has($0.device) }
    }

    fileprivate mutating func forget(allBut devices: Set<DeviceID>) {
        for index in limits.requests.indices where !devices.has(limits.requests[index].device) {
            limits.requests[index].device = nil
        }
        for index in wishes.indices where !devices.has(wishes[index].device) { wishes[index].device = nil }
    }
}

extension Device {
    fileprivate func knowsOthers(than people: Set<PersonID>, _ devices: Set<DeviceID>) -> Bool {
        [person, left?.person].contains { $0.map { !people.contains($0) } ?? false }
            || family.map { $0.without { !people.contains($0) } != $0 } ?? false
            || leaves.contains { !people.contains($0.person) } || !toldApart.isSubset(of: devices)
    }

    fileprivate mutating func forget(allBut people: Set<PersonID>, _ devices: Set<DeviceID>) {
        toldApart.formIntersection(devices)
        leaves.removeAll { !people.contains($0.person) }
        if let left, !people.contains(left.person) { self.left = nil }
        if let owner = person, !people.contains(owner) { person = nil }
        family = family?.without { !people.contains($0) }
    }
}

extension Set<DeviceID> {
    fileprivate func has(_ device: DeviceID?) -> Bool { device.map(contains) ?? true }
}
