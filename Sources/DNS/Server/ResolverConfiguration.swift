package import Directory
package import NIOCore

extension Resolver {
    /// What the machine's network says, so that it can change while the resolver runs (`Resolver.follow`).
    package struct Network: Hashable, Sendable {
        /// Where allowed names are resolved, in order of preference.
        package var upstreams: [UpstreamServer]
        /// Where names of the home are resolved (the router); without any, these names do not exist.
        package var localUpstreams: [UpstreamServer]
        /// Plain servers that know the names of encrypted upstreams.
        package var bootstrapServers: [UpstreamServer] = []
        package var ownNames: OwnNames
        /// The home's search domains, besides `lan`, `home`, `internal`, `fritz.box`, `home.arpa`.
        package var searchDomains: [String]

        package init(
            upstreams: [UpstreamServer], localUpstreams: [UpstreamServer] = [], ownNames: OwnNames,
            searchDomains: [String] = []
        ) {
            self.upstreams = upstreams
            self.localUpstreams = localUpstreams
            self.ownNames = ownNames
            self.searchDomains = searchDomains
        }
    }

    /// Settings that do not change while the resolver runs, and the network as it is at the start.
    package struct Configuration: Sendable {
        package var network: Network
        /// Authenticates encrypted upstreams; without it they are not asked.
        package var upstreamTLS: UpstreamTLS?
        /// Forwarders that are believed when they name a device by its hardware address (dnsmasq's `add-mac`).
        package var forwarders: Set<ClientAddress> = []
        /// Reads the table of neighbours anew; it has come to every event loop (`Resolver.apply`) when this returns.
        package var meet: @Sendable () async -> Void = {}
        /// Suffixes for which a public upstream may answer with private addresses.
        package var privateAnswersAllowed: [String]
        /// Bytes of answers kept per event loop.
        package var cacheBytes: Int
        package var bounds = Bounds()
        /// Whether to note the addresses in answers to enrolled clients, for `collectAnswers`.
        package var notesAnswers = false
        /// How long each attempt at an upstream waits before the next is made; after the last the question has failed.
        package var upstreamPatience: [TimeAmount] = [
            .milliseconds(400), .milliseconds(800), .milliseconds(1600), .seconds(2),
        ]
        /// How long to wait over TCP for an answer that was cut short.
        var streamPatience = TimeAmount.seconds(3)
        /// How long a TCP connection may go without a whole message (RFC 7766, 6.2.3).
        package var connectionPatience = TimeAmount.seconds(10)
        /// How long a connection over TLS may go without a query: a new handshake costs more than keeping it.
        package var secureIdleTime = TimeAmount.seconds(30)

        var linePatience = UpstreamLine.Patience()

        /// The least time between two searches for loops.
        package var loopPause = TimeAmount.seconds(30)
        /// How long the question of a loop check may take to come back.
        var loopPatience = TimeAmount.seconds(5)

        /// What each event loop may have open at a time.
        package struct Bounds: Hashable, Sendable {
            /// Connections of clients over TCP, and as many over TLS.
            package var connections = 200
            /// Questions to upstreams; each opens at most one socket per address family.
            package var questions = 256
            /// Connections to upstreams for answers that were cut short.
            package var streams = 32

            package init() {}
        }

        package init(
            _ network: Network, privateAnswersAllowed: [String] = [], cacheBytes: Int = 4 << 20
        ) {
            self.network = network
            self.privateAnswersAllowed = privateAnswersAllowed
            self.cacheBytes = cacheBytes
        }
    }
}
