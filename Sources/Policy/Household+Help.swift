package import Foundation

// Help is the one exception to "no other bypass" (AR-005, C-34): it opens what people need in danger, in every layer,
// without a passcode, and is never refused. What is pressed for more than need opens slower, and stands in the morning's
// summary.

/// How often Help was pressed in a night, on all devices of a person that somebody has confirmed.
package struct HelpPresses: Hashable, Codable, Sendable {
    /// The evening's civil date: a night of Help is from noon to noon, whether anybody sleeps or not.
    package let night: CivilDate
    package var count: Int

    /// How many a night open everything at once.
    package static let atOnce = 2

    package init(night: CivilDate, count: Int) {
        self.night = night
        self.count = count
    }
}

extension AppSelection {
    /// What a device reaches for 15 minutes after a press on Help: no feeds among them (design.md, Help).
    package static let help = AppSelection(categories: ["phone", "messengers", "maps", "health"])
    /// Of it, what never waits.
    package static let helpAtOnce = AppSelection(categories: ["phone", "maps", "health"])
}

extension Device {
    /// How long a press on Help opens calls, messages, maps and health, in seconds.
    package static let helpDuration: TimeInterval = 900
    /// How long messengers wait from a night's third press on, in seconds.
    package static let helpPatience: TimeInterval = 60

    /// What Help opens on it at an instant; nil: nothing.
    package func help(at now: Date) -> AppSelection? {
        guard person != nil, let helpUntil, helpUntil > now else { return nil }
        return helpMessages(at: now) == nil ? .help : .helpAtOnce
    }

    /// When messengers open too, while that is still to come.
    package func helpMessages(at now: Date) -> Date? { helpMessagesFrom.flatMap { $0 > now ? $0 : nil } }

    /// Help ends at its instant; a clock that went back does not make it longer than it is, nor messengers later.
    mutating func settleHelp(at now: Date) {
        guard let until = helpUntil else { return }
        helpUntil = until <= now ? nil : min(until, now + Self.helpDuration)
        helpMessagesFrom =
            helpUntil == nil ? nil : helpMessages(at: now).map { min($0, now + Self.helpPatience) }
    }
}

extension Household {
    /// Opens calls, messages, maps and health on a device for 15 minutes, in any mode, as often as needed. From a
    /// night's third press on, messengers open a minute after it; pressing on does not put that minute off.
    package mutating func useHelp(_ id: DeviceID, at now: Date) throws(Refusal) {
        let device = try index(of: id)
        guard offersHelp else { throw .helpSwitchedOff }
        // Nobody in danger has to find another button.
        let wasTrying = devices[device].tryUntil != nil
        devices[device].tryUntil = nil
        if wasTrying, devices[device].person == nil { return }
        guard let person = devices[device].person else { throw .deviceNotEnrolled }
        let owner = try index(of: person)
        var count = HelpPresses.atOnce + 1
        // A device that enrolled itself may be a guest's: it uses up nobody's presses, and its messages always wait.
        if devices[device].isConfirmed {
            count = helpPresses(of: people[owner], at: now) + 1
            people[owner].helpPresses = HelpPresses(night: helpNight(at: now), count: count)
        }
        devices[device].helpUntil = now + Device.helpDuration
        devices[device].helpMessagesFrom =
            count <= HelpPresses.atOnce
            ? nil : devices[device].helpMessages(at: now) ?? now + Device.helpPatience
    }

    /// How often somebody pressed Help in the night that is now.
    package func helpPresses(of person: Person, at now: Date) -> Int {
        person.helpPresses.map { $0.night == helpNight(at: now) ? $0.count : 0 } ?? 0
    }

    private func helpNight(at now: Date) -> CivilDate {
        let today = zone.date(of: now)
        return zone.time(of: now).hour < 12 ? today.adding(days: -1) : today
    }
}
