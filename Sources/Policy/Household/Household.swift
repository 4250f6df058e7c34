/// Everything that rules depend on, as stored: people, devices, and the house's own settings.
package struct Household: Hashable, Codable, Sendable {
    /// What happens to a device that nobody enrolled: nothing (nil), or it becomes this person's.
    @Defaulted package var newDevicesBelongTo: PersonID?
    /// Whether a device that nobody enrolled follows every child until somebody says whose it is, where it is no person's.
    @Defaulted package var newDevicesFollowChildren: Bool
    /// IANA name; validated when stored.
    package var timeZone: String
    /// Whether the pages offer Help (design.md, Help).
    package var offersHelp: Bool
    /// What devices or the router asked before this server, in the owner's own words, for the way back; may be empty.
    @Defaulted package var formerDNS: String
    /// Ids of optional `AlwaysReachable` entries that were unticked.
    @Defaulted package var unreachable: Set<String>
    /// Public names that may have private addresses, with everything below them (`PrivateAnswers`).
    @Defaulted package var privateAnswers: Set<String>
    /// Apps that the household added to the catalog, with names and domains of its own.
    @Defaulted package var ownApps: [App]
    /// How pages write times.
    @Defaulted package var clock: ClockSetting
    /// The step with which set-up goes on; nil once it is over.
    @Defaulted package var setupStep: SetupStep?
    /// Whether "Finish later" was pressed: from then on set-up waits on home, and a log-in does not lead to it.
    @Defaulted package var setupWaits: Bool
    /// In the order in which they were added; the first is "Me". Never empty.
    package var people: [Person] = []
    package var devices: [Device] = []

    /// The house's own document; people and devices have theirs.
    private enum CodingKeys: String, CodingKey {
        case newDevicesBelongTo, newDevicesFollowChildren, timeZone, offersHelp, formerDNS, unreachable
        case privateAnswers, ownApps, clock, setupStep, setupWaits
    }

    package init(
        timeZone: String, newDevicesBelongTo: PersonID? = nil, offersHelp: Bool = true,
        formerDNS: String = "", unreachable: Set<String> = [], ownApps: [App] = [],
        clock: ClockSetting = .automatic, setupStep: SetupStep? = nil, people: [Person],
        devices: [Device] = []
    ) {
        self.timeZone = timeZone
        self.newDevicesBelongTo = newDevicesBelongTo
        newDevicesFollowChildren = false
        self.offersHelp = offersHelp
        self.formerDNS = formerDNS
        self.unreachable = unreachable
        privateAnswers = []
        self.ownApps = ownApps
        self.clock = clock
        self.setupStep = setupStep
        setupWaits = false
        self.people = people
        self.devices = devices
    }

    package subscript(person id: PersonID) -> Person? {
        // By index: a person is copied once found, and not to be looked at.
        get { people.indices.first { people[$0].id == id }.map { people[$0] } }
        set {
            guard let index = people.firstIndex(where: { $0.id == id }) else { return }
            if let newValue { people[index] = newValue } else { people.remove(at: index) }
        }
    }

    /// The people who were in an earlier household too and differ now, as they were and as they are.
    package func changedPeople(since old: Household) -> [(before: Person, now: Person)] {
        if people == old.people { return [] }
        let isInPlace = people.map(\.id) == old.people.map(\.id)
        return people.indices.compactMap { index in
            let id = people[index].id
            guard let place = isInPlace ? index : old.people.firstIndex(where: { $0.id == id }),
                old.people[place] != people[index]
            else { return nil }
            return (old.people[place], people[index])
        }
    }
}
