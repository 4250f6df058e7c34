/// The clients of one event loop, so that a query costs one look-up for everything that depends on who asks.
struct ClientTable {
    struct Client {
        /// Whether it is in this network; others are refused.
        var isServed: Bool
        /// Its group under the current filter, nil when not enrolled.
        var group: Int?
        /// Asked since the last collection.
        var wasSeen: Bool
    }

    /// A bound on memory: addresses are the client's to choose.
    static let capacity = 4096

    private var known = FlatTable<ClientAddress, Client>()
    private var filter: Filter
    private var subnets: [AddressRange] = []

    init(filter: Filter) {
        self.filter = filter
    }

    mutating func apply(_ filter: Filter) {
        self.filter = filter
        describeAnew()
    }

    mutating func apply(_ subnets: [AddressRange]) {
        self.subnets = subnets
        describeAnew()
    }

    /// Forgets what followed from the old filter and the old networks; who was seen stays seen.
    private mutating func describeAnew() {
        for index in known.values.indices {
            let wasSeen = known.values[index].wasSeen
            known.values[index] = describe(known.keys[index])
            known.values[index].wasSeen = wasSeen
        }
    }

    mutating func client(_ address: ClientAddress) -> Client {
        var index = known.index(of: address)
        if index < 0 {
            let client = describe(address)
            guard client.isServed, known.count < Self.capacity else { return client }
            index = known.insert(address, client)
        }
        known.values[index].wasSeen = true
        return known.values[index]
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

    private func describe(_ address: ClientAddress) -> Client {
        Client(
            isServed: address.isStandIn || address.isNeighbour
                || subnets.contains { $0.contains(address) },
            group: filter.group(of: address), wasSeen: false)
    }
}
