package import Foundation
import Pages
package import Policy

/// Who is here and whom the rules hold for (design.md, Devices).
///
/// POST `/devices/enroll` (the asking device; with a login also `device`, `person`);
/// POST `/devices/{id}` with `name`, `kind`, `owner` (a person's id; empty: not blocked); POST `/devices/{id}/remove`.
package struct DevicesPage: Page {
    package static let template = "devices"

    struct Row {
        let id: Int64
        let name: String
        let kindName: String
        let kinds: [Choice]
        let people: [Choice]
        /// The person's name, or "Enrolled" where there is only one; nil: not enrolled, not blocked.
        let owner: String?
        let addresses: String
        let hardwareAddress: String?
        let seen: String
        let hasAsked: Bool
        let isThisDevice: Bool
        let isMine: Bool
        let error: String?
    }

    package let title = "Devices"
    let rows: [Row]
    /// The asking device, if it is known; enrolling works for an unknown one too.
    let thisDevice: Row?
    package let address: String?
    package let isEnrolled: Bool
    package let hasSeveralPeople: Bool
    /// While a strict session runs, what would loosen it is refused, and the page says so beforehand.
    package let isStrictRunning: Bool
    package let isEmpty: Bool
    /// Whether the asking device is known here only by its browser.
    let isSilent: Bool
    /// Whether the page says how a device is pointed here: the asking one does not ask, or nobody does.
    let needsPointing: Bool
    let pointing: PointHere
    /// What was set before this server; nil: nothing was written down.
    let formerDNS: String?

    /// `address` is the asking device's; `errors` are by device.
    package init(
        household: Household, thisDevice: DeviceID?, address: String?, person: PersonID,
        pointing: PointHere, isStrictRunning: Bool, now: Date, errors: [DeviceID: String] = [:]
    ) {
        let rows = household.devices.sorted { $0.lastSeen > $1.lastSeen }.map { device in
            Row(
                device, household: household, isThisDevice: device.id == thisDevice, person: person,
                now: now, error: errors[device.id])
        }
        self.rows = rows
        self.thisDevice = rows.first(where: \.isThisDevice)
        self.address = address
        isEnrolled = rows.contains { $0.isThisDevice && $0.owner != nil }
        hasSeveralPeople = household.people.count > 1
        self.isStrictRunning = isStrictRunning
        isEmpty = rows.isEmpty
        isSilent = self.thisDevice.map { !$0.hasAsked } ?? false
        needsPointing = isSilent || self.thisDevice == nil || !rows.contains(where: \.hasAsked)
        self.pointing = pointing
        formerDNS = household.formerDNS.isEmpty ? nil : household.formerDNS
    }
}

extension DevicesPage.Row {
    fileprivate init(
        _ device: Device, household: Household, isThisDevice: Bool, person: PersonID, now: Date,
        error: String?
    ) {
        id = device.id.rawValue
        name = device.name
        kindName = device.kind.title
        kinds = Device.Kind.allCases.map { Choice($0.rawValue, $0.title, isSelected: $0 == device.kind) }
        let isAlone = household.people.count == 1
        people =
            [Choice("", "Not blocked", isSelected: device.person == nil)]
            + household.people.map {
                Choice(
                    String($0.id.rawValue), isAlone ? "Enrolled" : $0.name, isSelected: $0.id == device.person
                )
            }
        owner = device.person.flatMap { isAlone ? "Enrolled" : household[person: $0]?.name }
        addresses = device.addresses.joined(separator: ", ")
        hardwareAddress = device.hardwareAddress
        // A device that was enrolled from its browser before it ever asked for a name.
        hasAsked = device.lastSeen.timeIntervalSince1970 > 0
        seen =
            !hasAsked
            ? "Has not asked here yet" : Self.ago(ClockFace.seconds(from: device.lastSeen, to: now))
        self.isThisDevice = isThisDevice
        isMine = device.person == person
        self.error = error
    }

    /// `Seen just now`, `Seen 5 minutes ago`, `Seen 3 days ago`.
    private static func ago(_ seconds: Int) -> String {
        func times(_ number: Int, _ unit: String) -> String {
            "Seen \(number) \(unit)\(number == 1 ? "" : "s") ago"
        }
        switch seconds {
        case ..<120: return "Seen just now"
        case ..<7200: return times(seconds / 60, "minute")
        case ..<172_800: return times(seconds / 3600, "hour")
        default: return times(seconds / 86_400, "day")
        }
    }
}

extension Device.Kind {
    /// As pages call it.
    fileprivate var title: String {
        switch self {
        case .phone: "Phone"
        case .tablet: "Tablet"
        case .computer: "Computer"
        case .television: "Television"
        case .console: "Game console"
        case .speaker: "Speaker"
        case .medical: "Medical"
        case .safety: "Safety"
        case .other: "Other"
        }
    }
}
