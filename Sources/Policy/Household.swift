/// Everything that rules depend on, as stored: people, devices, and the house's own settings.
package struct Household: Hashable, Codable, Sendable {
    /// What happens to a device that nobody enrolled: nothing (nil), or it becomes this person's.
    @Defaulted package var newDevicesBelongTo: PersonID?
    /// IANA name; validated when stored.
    package var timeZone: String
    /// Whether the pages offer Help (design.md, Help).
    package var offersHelp: Bool
    /// What devices or the router asked before this server, in the owner's own words, for the way back; may be empty.
    @Defaulted package var formerDNS: String
    /// Ids of optional `AlwaysReachable` entries that were unticked.
    @Defaulted package var unreachable: Set<String>
    /// Hardware addresses that Wi-Fi repeaters lend to everybody behind them: there, only the IP address tells who it is.
    @Defaulted package var repeaters: Set<String>
    /// Hardware addresses of which somebody said that they are one device's, however many IP addresses take turns with them.
    @Defaulted package var notRepeaters: Set<String>
    /// Hardware addresses of which somebody said that they may be a repeater's: those of a child's devices are never taken
    /// for one otherwise, because a computer with two IP addresses looks the same.
    @Defaulted package var possibleRepeaters: Set<String>
    /// Apps that the household added to the catalog, with names and domains of its own.
    @Defaulted package var ownApps: [App]
    /// In the order in which they were added; the first is "Me". Never empty.
    package var people: [Person] = []
    package var devices: [Device] = []

    /// The house's own document; people and devices have theirs.
    private enum CodingKeys: String, CodingKey {
        case newDevicesBelongTo, timeZone, offersHelp, formerDNS, unreachable, repeaters, notRepeaters
        case possibleRepeaters, ownApps
    }

    package init(
        timeZone: String, newDevicesBelongTo: PersonID? = nil, offersHelp: Bool = true,
        formerDNS: String = "", unreachable: Set<String> = [], repeaters: Set<String> = [],
        notRepeaters: Set<String> = [], possibleRepeaters: Set<String> = [], ownApps: [App] = [],
        people: [Person], devices: [Device] = []
    ) {
        self.timeZone = timeZone
        self.newDevicesBelongTo = newDevicesBelongTo
        self.offersHelp = offersHelp
        self.formerDNS = formerDNS
        self.unreachable = unreachable
        self.repeaters = repeaters
        self.notRepeaters = notRepeaters
        self.possibleRepeaters = possibleRepeaters
        self.ownApps = ownApps
        self.people = people
        self.devices = devices
    }

    package subscript(person id: PersonID) -> Person? {
        get { people.first { $0.id == id } }
        set {
            guard let index = people.firstIndex(where: { $0.id == id }) else { return }
            if let newValue { people[index] = newValue } else { people.remove(at: index) }
        }
    }

    /// The device with this IP address, in canonical text, or with this hardware address.
    package func device(at address: String) -> Device? {
        devices.first { $0.addresses.contains(address) || $0.hardwareAddress == address }
    }
}
