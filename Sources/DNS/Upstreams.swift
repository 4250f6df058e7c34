import NIOCore

/// The servers that one event loop may ask, and what it remembers of them.
struct Upstreams {
    struct Upstream {
        let address: SocketAddress
        let client: ClientAddress
        /// Its answers are checked for private addresses.
        let isPublic: Bool
        /// It led back to this server.
        var isDropped = false
        /// It did not answer lately: asked last until then.
        var suspectUntil = NIODeadline.uptimeNanoseconds(0)
        /// It refused EDNS; asked without until then.
        var plainUntil = NIODeadline.uptimeNanoseconds(0)
    }

    private(set) var all: [Upstream]

    init(_ addresses: [SocketAddress]) {
        all = addresses.compactMap { address in
            ClientAddress(address).map { Upstream(address: address, client: $0, isPublic: !$0.isPrivate) }
        }
    }

    /// Indices in the order to ask: as configured, those that did not answer lately last.
    func order(at now: NIODeadline) -> [Int] {
        let usable = all.indices.filter { !all[$0].isDropped }
        return usable.filter { all[$0].suspectUntil <= now } + usable.filter { all[$0].suspectUntil > now }
    }

    mutating func drop(_ address: SocketAddress) {
        for index in all.indices where all[index].address == address { all[index].isDropped = true }
    }

    mutating func suspect(_ index: Int, at now: NIODeadline) {
        all[index].suspectUntil = now + .seconds(10)
    }

    mutating func trust(_ index: Int) {
        all[index].suspectUntil = .uptimeNanoseconds(0)
    }

    mutating func avoidEDNS(_ index: Int, at now: NIODeadline) {
        all[index].plainUntil = now + .minutes(10)
    }
}
