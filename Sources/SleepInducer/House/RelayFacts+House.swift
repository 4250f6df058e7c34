import DNS
import Directory
import Enforcement
import LocalNetwork
import NIOCore
import Policy
import Shield

extension RelayFacts {
    /// What the relay needs from this machine and from DNS. Only known devices and this machine itself pass,
    /// because nobody else was told to come here. This server's own upstreams resolve the names, and nothing leads back
    /// to this machine or into a network that it is on. The front door admits no client from outside.
    init(_ ground: Ground, resolver: DNS.Resolver, latest: LatestSnapshot) {
        self.init(
            mayPass: { address in Self.isLoopback(address) || latest.knows(address) },
            destinations: { name, port in
                let here = ground.machine.addresses()
                let own = Set(here.compactMap { Reach.bytes($0.address) })
                return await resolver.addresses(of: name)
                    .filter { Reach.allows($0, own: own) && !Reach.isAtHome($0) }
                    .compactMap { try? SocketAddress(packedIPAddress: ByteBuffer(bytes: $0), port: port) }
                    .filter { host in !here.contains { $0.isOnNetwork(host.ipAddress ?? "") } }
            })
    }

    private static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1"
    }
}

extension FrontDoor {
    /// The bytes relayed through the front door since the last call.
    func relayed() async -> [Relayed] {
        await collectRelayed().compactMap { moved in
            ClientAddress(moved.address).map { Relayed(client: $0, app: moved.app, bytes: moved.bytes) }
        }
    }
}
