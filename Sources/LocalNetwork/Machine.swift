package import Directory
import Synchronization

/// What a house needs to know of the machine that it runs on, as values.
package struct Machine: Sendable {
    package var hostName: @Sendable () -> String
    /// The resolvers and search domains that this machine is told to use by now, without itself.
    package var resolution: @Sendable () -> ResolverSettings
    /// Another one after each change of the files from which that is read.
    package var resolutionStamps: @Sendable () -> [ResolverSettings.Stamp?] = {
        ResolverSettings.Stamp.all
    }
    /// Whether ports 53 and 80 may be opened.
    package var mayOpenLowPorts: Bool
    /// Files and sockets that this process may have open.
    package var openFiles = OpenFileLimit.current
    package var addresses: @Sendable () -> [LocalAddress]
    /// Who has which hardware address; waits for the kernel.
    package var neighbours: @Sendable () -> Neighbours
    /// Addresses of the routers to the rest of the world.
    package var routers: @Sendable () -> [IPAddress] = { DefaultRoute.gateways() }
    /// What files on this machine call devices.
    package var hostNames: @Sendable () -> HostNames = { HostNames.current() }
    package var isClockSynchronised: @Sendable () -> Bool
    /// Another one after each start of the machine; nil: the kernel will not say.
    package var boot: String? = BootID.current()
    /// DNS servers of this network that this machine was told of, without itself and the router.
    package var otherServers: @Sendable () -> [String]
    /// Tells the service manager, where there is one.
    package var notify: @Sendable (SystemdNotice.State) -> Void

    /// Read off Linux.
    package static var current: Machine {
        let links = LastRead(Links(), news: NetworkNews(of: .links)) {
            let routes = DefaultRoute.current()
            return LocalAddresses.current(routes: routes).map {
                Links(addresses: $0, routers: DefaultRoute.gateways(of: routes))
            }
        }
        let neighbours = LastRead(Neighbours(), news: NetworkNews(of: .neighbours)) {
            (try? NeighbourTable.current()).map { table in
                Neighbours(
                    Dictionary(
                        table.map { ($0.address, $0.hardware) }, uniquingKeysWith: { first, _ in first }))
            }
        }
        return Machine(
            hostName: { MachineName.current() ?? "" },
            resolution: { ResolverSettings.current(own: links.now.addresses) },
            mayOpenLowPorts: Privileges.canBind(),
            addresses: { links.now.addresses },
            neighbours: { neighbours.now },
            routers: { links.now.routers },
            isClockSynchronised: ClockStatus.lately(),
            otherServers: { OtherServers.current() },
            notify: { SystemdNotice.send($0) })
    }
}

extension Machine {
    /// Every address of the routers to the rest of the world, without this machine's own.
    package func allRouters() -> Set<String> {
        // A router has other addresses too; they have its hardware address.
        let table = neighbours()
        let gateways = Set(routers())
        let hardware = Set(gateways.compactMap { table[$0] })
        return Set(gateways.union(table.hardware.filter { hardware.contains($0.value) }.keys).map(\.text))
            .subtracting(addresses().map(\.address))
    }

    /// The IPv4 addresses of routers on the home's own networks.
    package func nearRouters() -> [String] {
        let own = addresses().filter { $0.reach == .home && !$0.isIPv6 }
        return routers().filter(\.isV4).map(\.text).filter { router in
            own.contains { $0.isOnNetwork(router) }
        }
    }
}

private struct Links: Sendable {
    var addresses: [LocalAddress] = []
    var routers: [IPAddress] = []
}

/// What was read of the machine last: a look that fails, as all do without a free descriptor, changes nothing.
final class LastRead<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        /// Until when the value holds if there is no news; nil: it must be read.
        var end: ContinuousClock.Instant?
    }

    /// Some sandboxes let a program listen for news and never send any.
    private static var lifetime: Duration { .seconds(30) }

    private let state: Mutex<State>
    private let news: NetworkNews?
    private let read: @Sendable () -> Value?

    /// - Parameter news: whether it may have changed; nil: it is read each time.
    init(_ first: Value, news: NetworkNews? = nil, read: @escaping @Sendable () -> Value?) {
        state = Mutex(State(value: first))
        self.news = news
        self.read = read
    }

    var now: Value {
        state.withLock { state in
            let now = ContinuousClock.now
            let isNews = news?.take() ?? true
            if !isNews, let end = state.end, now < end { return state.value }
            let found = read()
            if let found { state.value = found }
            state.end = found.map { _ in now + Self.lifetime }
            return state.value
        }
    }
}
