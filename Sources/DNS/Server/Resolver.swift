package import Directory
package import Logging
package import NIOCore
package import NIOSSL

/// The DNS server: listens on local addresses, answers by the filter, forwards what is allowed.
package final class Resolver: Sendable {
    let loops: Loops
    let listeners: Listeners
    let loopCheck: LoopCheck
    let loopPatience: TimeAmount

    /// - Parameters:
    ///   - eventLoopGroup: each of its event loops gets a socket for every endpoint.
    ///   - kept: sockets of a predecessor; this resolver keeps its own there too.
    package init(
        configuration: Configuration, eventLoopGroup: any EventLoopGroup, logger: Logger,
        kept: KeptSockets = .none
    ) {
        loops = Loops(configuration, eventLoopGroup)
        listeners = Listeners(group: eventLoopGroup, loops: loops, kept: kept)
        loopCheck = LoopCheck(configuration, logger)
        loopCheck.follow(loops.upstreams, ownName: configuration.network.ownNames.name)
        loopPatience = configuration.loopPatience
    }

    /// Takes the first filter and binds every endpoint; returns those that could not be bound. Then asks each upstream
    /// for a name under our own, to find looping upstreams.
    package func start(
        filter: Filter, endpoints: [Endpoint], home: HomeNetworks = HomeNetworks()
    ) async -> [RefusedEndpoint] {
        // A newer filter may have been applied while this call was on its way.
        _ = await loops.ask { [loopCheck, weak self] loop in
            loop.responder.isLoopCheck = { loopCheck.hears($0) }
            loop.suspectsLoop = { [weak self] in self?.lookForLoops() }
            if !loop.hasFilter { loop.apply(filter) }
        }
        let refusals = await rebind(endpoints: endpoints, home: home)
        lookForLoops()
        return refusals
    }

    /// Hands every event loop the new filter; when this returns, each answers every query by it.
    package func apply(_ filter: Filter) async {
        _ = await loops.ask { $0.apply(filter) }
    }

    /// Hands every event loop the current table of hardware addresses.
    package func apply(_ neighbours: Neighbours) {
        loops.send { $0.responder.apply(neighbours) }
    }

    /// Asks the servers, and serves the names, of another network. Servers that are new are checked for loops.
    package func follow(_ network: Network) async {
        await loops.follow(network)
        loopCheck.follow(loops.upstreams, ownName: network.ownNames.name)
        lookForLoops()
    }

    /// Whether the answer to a name never depends on a household's rules.
    package func standsBeforeRules(_ name: String) -> Bool { loops.served.standsBeforeRules(name) }

    /// The addresses of the servers that are asked now, for names of the home too.
    package var upstreamAddresses: Set<IPAddress> {
        Set(loops.upstreams.all.compactMap { $0.server.fixed?.ip })
    }

    /// Sets the TLS context for new connections; open connections stay as they are.
    package func present(_ context: NIOSSLContext) {
        loops.send { $0.tls = context }
    }

    /// Listens on new addresses and stops listening on absent ones; clients that are not at home are refused.
    package func rebind(endpoints: [Endpoint], home: HomeNetworks) async -> [RefusedEndpoint] {
        _ = await loops.ask { $0.apply(endpoints: endpoints, home: home) }
        return await listeners.rebind(endpoints)
    }

    /// Whether anything was noted since the last call of `collect`.
    package var hasNews: Bool { loops.haveNews }

    /// Returns the counts since the last call. Only one caller may collect, or each would get a part.
    package func collect() async -> Collected {
        var sum = Collected()
        let (parts, metrics) = await loops.collect()
        sum.metrics = metrics
        for part in parts {
            sum.counts += part.counts
            sum.clients.formUnion(part.clients)
            sum.refused += part.refused
            sum.checkQuestions += part.checkQuestions
            sum.evasionSigns += part.evasionSigns
            sum.unbelieved.formUnion(part.unbelieved)
        }
        return sum
    }

    /// The actual addresses, with the port that the kernel chose if it was asked to.
    package var localAddresses: [SocketAddress] {
        get async { await listeners.localAddresses }
    }

    /// The actual addresses of DNS over TLS.
    package var secureAddresses: [SocketAddress] {
        get async { await listeners.secureAddresses }
    }

    /// Closes every socket; questions still waiting are not answered.
    package func stop() async {
        await listeners.stop()
        _ = await loops.ask { $0.stop() }
    }
}
