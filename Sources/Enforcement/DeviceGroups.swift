import Policy

/// The devices that share rules. They are made again only if devices or people changed, or while Help or a try runs on a device: any
/// other change is of rules, and costs nothing for each of ten thousand devices.
struct DeviceGroups {
    /// What the devices of a group have in common.
    struct Key: Hashable {
        /// Nobody's: a device without an owner that runs a try.
        var holders: RuleHolders
        /// The names that Help opens on it now; nil: none.
        var help: HelpNames?
        var trial: Block?
    }

    private(set) var keys: [Key] = []
    /// Device to index in `keys`; an absent device is not enrolled.
    private(set) var places: [Int64: Int] = [:]
    private var madeFor: (devices: [Device], people: [PersonID: Person.Role])?

    mutating func follow(_ snapshot: Snapshot) {
        let devices = snapshot.household.devices
        var people: [PersonID: Person.Role] = [:]
        for person in snapshot.household.people { people[person.id] = person.role }
        if let madeFor, madeFor.devices == devices, madeFor.people == people { return }
        var placeOf: [Key: Int] = [:]
        var isFixed = true
        (keys, places) = ([], [:])
        places.reserveCapacity(devices.count)
        // By index: copying ten thousand devices takes longer than reading them.
        for index in devices.indices {
            if devices[index].helpUntil != nil || devices[index].tryUntil != nil { isFixed = false }
            let holders = snapshot.household.holders(of: devices[index])
            let trial =
                devices[index].tryUntil == nil
                ? nil : snapshot.household.tryBlock(on: devices[index], at: snapshot.instant)
            guard !holders.isNobody || trial != nil else { continue }
            let help = devices[index].helpUntil == nil ? nil : snapshot.help(on: devices[index])
            let key = Key(holders: holders, help: help, trial: trial)
            let place = placeOf[key] ?? keys.count
            if place == keys.count {
                placeOf[key] = place
                keys.append(key)
            }
            places[devices[index].id.rawValue] = place
        }
        madeFor = isFixed ? (devices, people) : nil
    }
}
