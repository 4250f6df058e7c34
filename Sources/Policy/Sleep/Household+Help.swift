package import Foundation

// Help is for need. It opens calls, maps and health at once, in every layer, without a passcode, and it is never
// refused. To deter misuse, messengers open later in a strict session and after frequent presses, a person's own
// Anti-Rot list stays shut, and presses appear in the morning's summary.

/// How often a person pressed Help in one night, on all their confirmed devices.
package struct HelpPresses: Hashable, Codable, Sendable {
    /// The evening's civil date: a night of Help lasts from noon to noon, with or without a session.
    package let night: CivilDate
    package var count: Int

    /// How many presses a night open everything at once.
    package static let atOnce = 2

    package init(night: CivilDate, count: Int) {
        self.night = night
        self.count = count
    }
}

extension AppSelection {
    /// What a device reaches for 15 minutes after a press on Help; no feeds (design.md, Help).
    package static let help = AppSelection(categories: ["phone", "messengers", "maps", "health"])
    /// The part of it that never waits.
    package static let helpAtOnce = AppSelection(categories: ["phone", "maps", "health"])
}

/// The names that Help opens on a device.
package struct HelpNames: Hashable, Sendable {
    package let names: AppSelection
    /// The apps among them that stay shut.
    package let shut: Set<String>

    package init(_ names: AppSelection, shut: Set<String>) {
        self.names = names
        self.shut = shut
    }
}

extension Catalog {
    /// The apps that Help leaves shut for a person: those of the person's own Anti-Rot list, but for calls and the phone's
    /// own messages.
    package func shutToHelp(for person: Person) -> Set<String> {
        let restricted = person.antiRot.allRestricted
        let shut = AppSelection.help.categories.subtracting(["phone"])
        let chosen = restricted.apps.filter { id in app(id: id).map { shut.contains($0.category) } ?? false }
        return restricted.categories.intersection(shut).reduce(into: chosen) { all, category in
            all.formUnion(apps(in: category).map(\.id))
        }
    }
}

extension Snapshot {
    /// The names that Help opens on a device; nil for none.
    package func help(on device: Device) -> HelpNames? {
        guard let names = device.help(at: instant) else { return nil }
        return HelpNames(names, shut: shutToHelp(for: household.holders(of: device)))
    }

    /// The apps that Help leaves shut for the people whose rules hold.
    package func shutToHelp(for holders: RuleHolders) -> Set<String> {
        holders.people.compactMap { household[person: $0] }.reduce(into: []) { shut, person in
            shut.formUnion(catalog.shutToHelp(for: person))
        }
    }
}

extension Device {
    /// How long a press on Help opens calls, messages, maps and health, in seconds.
    package static let helpDuration: TimeInterval = 900
    /// How long messengers wait, in seconds.
    package static let helpPatience: TimeInterval = 60

    /// What Help may open on this device at an instant; nil for nothing.
    package func help(at now: Date) -> AppSelection? {
        guard isSomebodys, let helpUntil, helpUntil > now else { return nil }
        return helpMessages(at: now) == nil ? .help : .helpAtOnce
    }

    /// When messengers open too; nil once they are open.
    package func helpMessages(at now: Date) -> Date? { helpMessagesFrom.flatMap { $0 > now ? $0 : nil } }

    /// Ends Help when it is over. A clock that went back makes neither Help longer nor messengers later.
    mutating func settleHelp(at now: Date) {
        guard let until = helpUntil else { return }
        helpUntil = until <= now ? nil : min(until, now + Self.helpDuration)
        helpMessagesFrom =
            helpUntil == nil ? nil : helpMessages(at: now).map { min($0, now + Self.helpPatience) }
    }
}

extension Household {
    /// Opens calls, messages, maps and health on a device for 15 minutes, in any mode, as often as needed. In a strict
    /// session, and from a night's third press on, messengers open a minute after the press; further presses do not
    /// delay that minute.
    ///
    /// - Parameter isCertain: whether it is surely this device that asks.
    package mutating func useHelp(_ id: DeviceID, isCertain: Bool = true, at now: Date) throws(Refusal) {
        let device = try index(of: id)
        guard offersHelp else { throw .helpSwitchedOff }
        // In danger, nobody should have to find another button.
        let wasTrying = devices[device].tryUntil != nil
        devices[device].tryUntil = nil
        if wasTrying, !devices[device].isSomebodys { return }
        guard devices[device].isSomebodys else { throw .deviceNotEnrolled }
        // A device that enrolled itself may be a guest's, and the family's is everybody's: it uses up nobody's presses, and
        // its messages always wait.
        var waits = true
        if let person = devices[device].person, devices[device].isConfirmed, isCertain {
            let owner = try index(of: person)
            waits = helpDelaysMessengers(of: people[owner], at: now)
            people[owner].helpPresses = HelpPresses(
                night: helpNight(at: now), count: helpPresses(of: people[owner], at: now) + 1)
        }
        devices[device].helpUntil = now + Device.helpDuration
        devices[device].helpMessagesFrom =
            waits ? devices[device].helpMessages(at: now) ?? now + Device.helpPatience : nil
    }

    /// Whether messengers open later than the rest for a person's next press.
    package func helpDelaysMessengers(of person: Person, at now: Date) -> Bool {
        helpPresses(of: person, at: now) >= HelpPresses.atOnce || person.isStrict(at: now)
    }

    /// How often a person pressed Help in the current night.
    package func helpPresses(of person: Person, at now: Date) -> Int {
        person.helpPresses.map { $0.night == helpNight(at: now) ? $0.count : 0 } ?? 0
    }

    private func helpNight(at now: Date) -> CivilDate {
        let today = zone.date(of: now)
        return zone.time(of: now).hour < 12 ? today.adding(days: -1) : today
    }
}
