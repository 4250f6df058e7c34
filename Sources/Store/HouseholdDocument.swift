import Foundation
import Policy

/// The household as JSON, with the seeds' own key names (`activeSession`, `allowedApps`,
/// `recurringSchedule`, `defaultStrictness`; SI-016 to SI-019). Holds no secret.
struct HouseholdDocument: Codable {
    /// Nil in what an earlier version wrote, and in an export (`Revision`).
    var revision: Int64?
    var timeZone: String
    var newDevicesBelongTo: Int64?
    var offersHelp: Bool
    /// Nil where nothing was written down.
    var formerDNS: String?
    var unreachable: [String]
    /// Nil where none was found.
    var repeaters: [String]?
    /// Nil where nobody said so.
    var notRepeaters: [String]?
    var possibleRepeaters: [String]?
    var ownApps: [App]
    var people: [PersonDocument]
    var devices: [DeviceDocument]

    init(_ household: Household, revision: Int64? = nil) {
        self.revision = revision
        timeZone = household.timeZone
        newDevicesBelongTo = household.newDevicesBelongTo?.rawValue
        offersHelp = household.offersHelp
        formerDNS = household.formerDNS.isEmpty ? nil : household.formerDNS
        unreachable = household.unreachable.sorted()
        repeaters = household.repeaters.isEmpty ? nil : household.repeaters.sorted()
        notRepeaters = household.notRepeaters.isEmpty ? nil : household.notRepeaters.sorted()
        possibleRepeaters =
            household.possibleRepeaters.isEmpty ? nil : household.possibleRepeaters.sorted()
        ownApps = household.ownApps
        people = household.people.map(PersonDocument.init)
        devices = household.devices.map(DeviceDocument.init)
    }

    /// Nil where the document names no person.
    var household: Household? {
        guard !people.isEmpty else { return nil }
        return Household(
            timeZone: timeZone, newDevicesBelongTo: newDevicesBelongTo.map(PersonID.init),
            offersHelp: offersHelp, formerDNS: formerDNS ?? "", unreachable: Set(unreachable),
            repeaters: Set(repeaters ?? []), notRepeaters: Set(notRepeaters ?? []),
            possibleRepeaters: Set(possibleRepeaters ?? []), ownApps: ownApps,
            people: people.map(\.person), devices: devices.map(\.device))
    }

    static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(instantText(date))
        }
        return encoder
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let instant = instant(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "An instant is ISO 8601 in UTC.")
            }
            return instant
        }
        return decoder
    }
}

struct SessionDocument: Codable {
    var id: UUID
    var mode: ScheduleMode
    var strictness: StrictnessMode
    var startedAt: Date
    var endsAt: Date
    var isActive: Bool
    var cancelsAt: Date?
    var allowedApps: SortedSelection
    var night: CivilDate?

    init(_ session: SleepSession) {
        id = session.id
        mode = session.mode
        strictness = session.strictness
        startedAt = session.startedAt
        endsAt = session.endsAt
        isActive = session.isActive
        cancelsAt = session.cancelsAt
        allowedApps = session.allowed.sorted
        night = session.night
    }

    var session: SleepSession {
        SleepSession(
            id: id, mode: mode, strictness: strictness, startedAt: startedAt, endsAt: endsAt,
            isActive: isActive, cancelsAt: cancelsAt, allowed: allowedApps.selection, night: night)
    }
}

struct DeviceDocument: Codable {
    var id: Int64
    var name: String
    /// Nil in files of earlier versions, which knew no other names than those that people gave.
    var isNamed: Bool?
    var networkName: String?
    var kind: String
    var person: Int64?
    /// Nil in files of earlier versions, which asked nobody.
    var isConfirmed: Bool?
    var addresses: [String]
    var hardwareAddress: String?
    /// Nil where there are none.
    var formerHardwareAddresses: [String]?
    var toldApart: [Int64]?
    var firstSeen: Date
    var lastSeen: Date
    var helpUntil: Date?
    var helpMessagesFrom: Date?
    var tryUntil: Date?
    var trustedAuthority: String?
    /// Nil where it is not so.
    var hasNoMobileData: Bool?
    var departure: Departure?
    var leftBy: Int64?
    var leftAt: Date?
    /// Nil where nobody left lately.
    var leaves: [LeftDocument]?

    init(_ device: Device) {
        id = device.id.rawValue
        name = device.name
        isNamed = device.isNamed
        networkName = device.networkName
        kind = device.kind.rawValue
        person = device.person?.rawValue
        isConfirmed = device.isConfirmed
        addresses = device.addresses
        hardwareAddress = device.hardwareAddress
        let former = device.formerHardwareAddresses
        formerHardwareAddresses = former.isEmpty ? nil : former
        toldApart = device.toldApart.isEmpty ? nil : device.toldApart.map(\.rawValue).sorted()
        firstSeen = device.firstSeen
        lastSeen = device.lastSeen
        helpUntil = device.helpUntil
        helpMessagesFrom = device.helpMessagesFrom
        tryUntil = device.tryUntil
        trustedAuthority = device.trustedAuthority
        hasNoMobileData = device.hasNoMobileData ? true : nil
        departure = device.departure
        leftBy = device.left?.person.rawValue
        leftAt = device.left?.at
        leaves = device.leaves.isEmpty ? nil : device.leaves.map(LeftDocument.init)
    }

    var device: Device {
        Device(
            id: DeviceID(rawValue: id), name: name, isNamed: isNamed ?? true, networkName: networkName,
            kind: Device.Kind(rawValue: kind) ?? .other,
            person: person.map(PersonID.init), isConfirmed: isConfirmed ?? true, addresses: addresses,
            hardwareAddress: hardwareAddress, formerHardwareAddresses: formerHardwareAddresses ?? [],
            toldApart: Set((toldApart ?? []).map(DeviceID.init)), firstSeen: firstSeen, lastSeen: lastSeen,
            helpUntil: helpUntil, helpMessagesFrom: helpMessagesFrom, tryUntil: tryUntil,
            trustedAuthority: trustedAuthority,
            hasNoMobileData: hasNoMobileData ?? false, departure: departure, left: left,
            leaves: leaves?.map(\.left) ?? [])
    }

    private var left: Left? {
        guard let leftBy, let leftAt else { return nil }
        return Left(person: PersonID(rawValue: leftBy), at: leftAt)
    }
}

struct LeftDocument: Codable {
    var person: Int64
    var at: Date

    init(_ left: Left) {
        person = left.person.rawValue
        at = left.at
    }

    var left: Left { Left(person: PersonID(rawValue: person), at: at) }
}

extension SortedSelection {
    var selection: AppSelection {
        AppSelection(apps: Set(apps), categories: Set(categories), domains: Set(domains))
    }
}

/// ISO 8601 in UTC with milliseconds, exactly what a row keeps.
private func instantText(_ date: Date) -> String {
    let whole = date.milliseconds.quotientAndRemainder(dividingBy: 1000)
    // Before 1970 the remainder is negative; the second below it is the one to name.
    let (seconds, rest) =
        whole.remainder < 0 ? (whole.quotient - 1, whole.remainder + 1000) : (whole.quotient, whole.remainder)
    let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    let digits = String(rest)
    return text.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
}

/// Reads `instantText`'s form, and whole seconds.
private func instant(_ text: String) -> Date? {
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    guard text.hasSuffix("Z"), (1...2).contains(parts.count),
        let seconds = try? Date(parts[0] + "Z", strategy: .iso8601)
    else { return nil }
    guard parts.count == 2 else { return seconds }
    guard parts[1].utf8.count == 3, let rest = Int64(parts[1]), rest >= 0 else { return nil }
    return Date(milliseconds: seconds.milliseconds + rest)
}
