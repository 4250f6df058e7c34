/// The clients of one event loop, so that a query costs one look-up for everything that depends on who asks.
struct ClientTable {
    struct Client {
        /// Whether it is at home; others are refused.
        var isServed: Bool
        /// Its group under the current filter, nil when not enrolled.
        var group: Int?
        /// A neighbour that nobody knows by its address, nor yet by its hardware address: it may be somebody's device with a
        /// new address.
        var isUnsure = false
        /// Was told to ask once more; that is said once.
        var wasSentBack = false
        /// Asked since the last collection.
        var wasSeen = false
    }

    /// A bound on memory: addresses are the client's to choose.
    static let capacity = 4096

    private var known = FlatTable<ClientAddress, Client>()
    private var filter: Filter
    private var home = HomeNetworks()
    /// The hardware address of a neighbour, as the kernel knows it; it looks anew if it is asked to.
    private let hardware: (ClientAddress, _ anew: Bool) -> HardwareAddress?

    init(
        filter: Filter,
        hardware: @escaping (ClientAddress, _ anew: Bool) -> HardwareAddress? = { _, _ in nil }
    ) {
        self.filter = filter
        self.hardware = hardware
    }

    mutating func apply(_ filter: Filter) {
        self.filter = filter
        describeAnew()
    }

    mutating func apply(_ home: HomeNetworks) {
        self.home = home
        describeAnew()
    }

    /// Forgets what followed from the old filter and the old networks; who was seen stays seen.
    private mutating func describeAnew() {
        for index in known.values.indices {
            describe(at: index)
        }
    }

    private mutating func describe(at index: Int, anew: Bool = false) {
        let before = known.values[index]
        known.values[index] = describe(known.keys[index], anew: anew)
        known.values[index].wasSeen = before.wasSeen
        known.values[index].wasSentBack = before.wasSentBack
    }

    /// - Parameter isConnected: by TCP, so that the kernel has learned its hardware address just now.
    mutating func client(_ address: ClientAddress, isConnected: Bool = false) -> Client {
        var index = known.index(of: address)
        if index < 0 {
            let client = describe(address, anew: isConnected)
            guard client.isServed, known.count < Self.capacity else { return client }
            index = known.insert(address, client)
        } else if known.values[index].isUnsure {
            describe(at: index, anew: isConnected)
        }
        known.values[index].wasSeen = true
        return known.values[index]
    }

    /// True once for a client.
    mutating func sendsBack(_ address: ClientAddress) -> Bool {
        let index = known.index(of: address)
        guard index >= 0, !known.values[index].wasSentBack else { return false }
        known.values[index].wasSentBack = true
        return true
    }

    /// The clients that asked since the last call.
    mutating func collect() -> Set<ClientAddress> {
        var seen: Set<ClientAddress> = []
        for index in known.values.indices where known.values[index].wasSeen {
            known.values[index].wasSeen = false
            seen.insert(known.keys[index])
        }
        if known.count >= Self.capacity { known.removeAll() }
        return seen
    }

    private func describe(_ address: ClientAddress, anew: Bool = false) -> Client {
        var client = Client(
            isServed: home.has(address) || address.isStandIn, group: filter.group(of: address))
        guard home.isNear(address), !address.isLoopback, filter.hasGroups, !filter.knows(address) else {
            return client
        }
        if let hardware = hardware(address, anew) {
            client.group = filter.group(of: ClientAddress(hardware))
        } else {
            client.isUnsure = true
        }
        return client
    }
}
