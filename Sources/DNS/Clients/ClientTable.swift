import Directory

/// The clients of one event loop, so that a query costs one look-up for everything that depends on who asks.
struct ClientTable {
    struct Client {
        /// Whether it is at home; others are refused.
        var isServed: Bool
        /// Its groups under the current filter: none if it is not enrolled, several if it may be one of several
        /// devices.
        var groups: [Int] = []
        /// Whether it is a neighbour that is unknown by its address and whose hardware address is not known yet: it may
        /// be an enrolled device with a new address.
        var isUnsure = false
        /// Whether it was told to ask again over TCP, which happens once.
        var wasSentBack = false
        /// Whether it asked since the last collection.
        var wasSeen = false
    }

    /// A bound on memory: clients choose their addresses.
    static let capacity = 4096

    private var known = FlatTable<ClientAddress, Client>()
    private var filter: Filter
    private var home = HomeNetworks()
    private(set) var neighbours = Neighbours()

    init(filter: Filter) { self.filter = filter }

    mutating func apply(_ filter: Filter) {
        self.filter = filter
        describeAnew()
    }

    mutating func apply(_ home: HomeNetworks) {
        self.home = home
        describeAnew()
    }

    mutating func apply(_ neighbours: Neighbours) {
        guard neighbours != self.neighbours else { return }
        self.neighbours = neighbours
        describeAnew()
    }

    /// Forgets what followed from the old filter, networks and neighbours, but not which clients were seen.
    private mutating func describeAnew() {
        for index in known.values.indices {
            describe(at: index)
        }
    }

    private mutating func describe(at index: Int) {
        let before = known.values[index]
        known.values[index] = describe(known.keys[index])
        known.values[index].wasSeen = before.wasSeen
        known.values[index].wasSentBack = before.wasSentBack
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

    /// Whether the table of neighbours should have a client that has connected, but lacks it.
    func misses(_ address: ClientAddress) -> Bool {
        home.isNear(address) && !address.isLoopback && neighbours[address] == nil
    }

    /// True the first time for a client, then false.
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

    private func describe(_ address: ClientAddress) -> Client {
        let answer = filter.directory.answer(address, neighbours[address])
        return Client(
            isServed: home.has(address) || address.isStandIn, groups: filter.groups(of: answer),
            isUnsure: answer.isStranger && filter.hasGroups && misses(address))
    }
}
