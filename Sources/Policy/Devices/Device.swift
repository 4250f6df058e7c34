package import Foundation

/// Something with an address on the home network.
package struct Device: Hashable, Codable, Sendable, Identifiable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case phone, tablet, computer, television, console, speaker, medical, safety, other
    }

    package let id: DeviceID
    package var name: String
    /// Whether a person gave it its name; what the network calls it never takes that one's place.
    package var isNamed: Bool
    /// What the network calls it, from a lease, a hosts file or reverse DNS, as `NetworkName` cleans it.
    @Defaulted package var networkName: String?
    @Defaulted package var kind: Kind
    /// The owner; nil for a device that is not enrolled and never blocked.
    @Defaulted package var person: PersonID?
    /// Set for a device that is the family's and no person's.
    @Defaulted package var family: FamilyUse?
    /// Whether somebody with the passcode said whose it is. A device that enrolled itself is blocked like any other,
    /// but neither reads its person's minutes nor spends their override: a guest could press the same button.
    package var isConfirmed: Bool
    /// Canonical text of its IPv4 and IPv6 addresses, newest first.
    package var addresses: [String]
    /// Lower-case `aa:bb:cc:dd:ee:ff`, where the neighbour table knows it.
    @Defaulted package var hardwareAddress: String?
    /// Those that it had before, newest first: a phone that goes back to one is still itself.
    @Defaulted package var formerHardwareAddresses: [String]
    /// Devices of which somebody said that they are not this one (`Return`).
    @Defaulted package var toldApart: Set<DeviceID>
    package var firstSeen: Date
    package var lastSeen: Date
    /// Until when calls, messages, maps and health are open after a press on Help.
    @Defaulted package var helpUntil: Date?
    /// From when messengers are open too while Help is; nil: at once.
    @Defaulted package var helpMessagesFrom: Date?
    /// Until when "Try it for two minutes" blocks this device.
    @Defaulted package var tryUntil: Date?
    /// The household's authority that its browser was seen to trust, by its fingerprint (64 hex digits); where that one
    /// was made anew since, it trusts none.
    @Defaulted package var trustedAuthority: String?
    /// Whether somebody said that this tablet has no mobile data, so that its system may be told at night that the network
    /// is closed (`Captivity`). Only tablets have it.
    @Defaulted package var hasNoMobileData: Bool
    /// Its person has asked to leave on it, and is held back for now.
    @Defaulted package var departure: Departure?
    /// Who left on it; nil once it is somebody's again.
    @Defaulted package var left: Left?
    /// Every time that somebody left on it lately, oldest first: coming back does not make it forgotten.
    @Defaulted package var leaves: [Left]
    /// Ways past this server that were seen on it within a day, where it is a child's.
    @Defaulted package var waysOut: [SeenWayOut]

    package init(
        id: DeviceID, name: String, isNamed: Bool = true, networkName: String? = nil, kind: Kind = .other,
        person: PersonID? = nil, family: FamilyUse? = nil, isConfirmed: Bool = true,
        addresses: [String],
        hardwareAddress: String? = nil, formerHardwareAddresses: [String] = [],
        toldApart: Set<DeviceID> = [], firstSeen: Date, lastSeen: Date, helpUntil: Date? = nil,
        helpMessagesFrom: Date? = nil, tryUntil: Date? = nil, trustedAuthority: String? = nil,
        hasNoMobileData: Bool = false,
        departure: Departure? = nil, left: Left? = nil, leaves: [Left] = [],
        waysOut: [SeenWayOut] = []
    ) {
        self.id = id
        self.name = name
        self.isNamed = isNamed
        self.networkName = networkName
        self.kind = kind
        self.person = person
        self.family = family
        self.isConfirmed = isConfirmed
        self.addresses = addresses
        self.hardwareAddress = hardwareAddress
        self.formerHardwareAddresses = formerHardwareAddresses
        self.toldApart = toldApart
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.helpUntil = helpUntil
        self.helpMessagesFrom = helpMessagesFrom
        self.tryUntil = tryUntil
        self.trustedAuthority = trustedAuthority
        self.hasNoMobileData = hasNoMobileData
        self.departure = departure
        self.left = left
        self.leaves = leaves
        self.waysOut = waysOut
    }
}
