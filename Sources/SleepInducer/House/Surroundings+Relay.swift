import DNS
import Enforcement
import LocalNetwork
import NIOCore
import Policy
import Shield

extension Surroundings {
    /// What relaying asks of this machine and of DNS: names are looked up by this server's own upstreams, and nothing
    /// leads back to this machine or into the home.
    static func relay(_ machine: Machine, _ resolver: DNS.Resolver) -> RelayFacts {
        RelayFacts(
            mayPass: { isNear($0, machine) },
            destinations: { name, port in
                let own = Set(machine.addresses().compactMap { Reach.bytes($0.address) })
                return await resolver.addresses(of: name)
                    .filter { Reach.allows($0, own: own) && !Reach.isAtHome($0) }
                    .compactMap { try? SocketAddress(packedIPAddress: ByteBuffer(bytes: $0), port: port) }
            })
    }

    /// What moved through the front door since the last time.
    static func relayed(_ door: FrontDoor) async -> [Relayed] {
        await door.collectRelayed().compactMap { moved in
            ClientAddress(moved.address).map { Relayed(client: $0, app: moved.app, bytes: moved.bytes) }
        }
    }

    /// Whether an address is private, or one of this machine's networks.
    static func isNear(_ address: String, _ machine: Machine) -> Bool {
        ClientAddress(address)?.isPrivate ?? false
            || machine.addresses().contains { $0.isOnNetwork(address) || $0.address == address }
    }
}
