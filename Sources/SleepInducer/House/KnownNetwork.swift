import DNS
import Directory
import LocalNetwork
import Synchronization

/// What this machine was told of its network and of itself: the servers that find names, and the names that are the
/// home's and its own. It is worked out here alone, and again when the machine is told something else.
final class KnownNetwork: Sendable {
    private struct State {
        var stamps: [ResolverSettings.Stamp?] = []
        var hostName = ""
        /// It is from an earlier reading, where the latest named none: a machine that loses its network forgets them too.
        var settings = ResolverSettings()
        var network: DNS.Resolver.Network
    }

    private let options: ServeCommand
    private let machine: Machine
    private let state: Mutex<State>

    init(_ options: ServeCommand, _ machine: Machine) {
        self.options = options
        self.machine = machine
        state = Mutex(State(network: DNS.Resolver.Network(options, hostName: "", ResolverSettings())))
        look()
    }

    var now: DNS.Resolver.Network { state.withLock { $0.network } }
    var ownNames: OwnNames { now.ownNames }

    /// Whether the machine may have been told something else since the last look.
    var isStale: Bool {
        let (stamps, hostName) = (machine.resolutionStamps(), machine.hostName())
        return state.withLock { $0.stamps != stamps || $0.hostName != hostName }
    }

    /// Reads it anew. True if that changes anything.
    @discardableResult
    func look() -> Bool {
        let (stamps, hostName, read) = (machine.resolutionStamps(), machine.hostName(), machine.resolution())
        return state.withLock { state in
            (state.stamps, state.hostName) = (stamps, hostName)
            if !read.resolvers.isEmpty { state.settings.resolvers = read.resolvers }
            if !read.isEmpty { state.settings.searchDomains = read.searchDomains }
            let network = DNS.Resolver.Network(options, hostName: hostName, state.settings)
            defer { state.network = network }
            return network != state.network
        }
    }
}

extension DNS.Resolver.Network {
    /// By the command line, else by what the machine was told.
    init(_ options: ServeCommand, hostName: String, _ settings: ResolverSettings) {
        let servers = ChosenUpstreams.servers(options, settings)
        self.init(
            upstreams: servers,
            localUpstreams: options.localUpstream.compactMap(ChosenUpstreams.address).map {
                UpstreamServer($0)
            },
            ownNames: OwnNames(
                name: options.name, hostName: hostName, searchDomains: settings.searchDomains,
                proxyNames: options.proxyName),
            searchDomains: settings.searchDomains)
        bootstrapServers = ChosenUpstreams.bootstrap(servers, options, settings)
    }
}
