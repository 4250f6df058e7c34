/// Everything that rules depend on, as stored: people, devices, and the household's settings.
package struct Household: Hashable, Sendable {
    /// The person to whom a new device belongs; nil: nobody.
    package var newDevicesBelongTo: PersonID?
    /// IANA name; validated when stored.
    package var timeZone: String
    /// Whether the pages offer Help (design.md, Help).
    package var offersHelp: Bool
    /// The DNS server that devices or the router used before, in the owner's own words, for the way back; may be empty.
    package var formerDNS: String
    /// Ids of optional `AlwaysReachable` entries that were unticked.
    package var unreachable: Set<String>
    /// Hardware addresses of Wi-Fi repeaters: behind them, only the IP address identifies a device.
    package var repeaters: Set<String>
    /// Hardware addresses that an adult declared to be one device, however many IP addresses use them.
    package var notRepeaters: Set<String>
    /// Hardware addresses that an adult declared to be a possible repeater. Without that, a child's hardware address is
    /// never taken for one, because a computer with two IP addresses looks the same.
    package var possibleRepeaters: Set<String>
    /// Apps that the household added to the catalog, with their own names and domains.
    package var ownApps: [App]
    /// In the order in which they were added; the first is "Me". Never empty.
    package var people: [Person]
    package var devices: [Device]

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
