import DNS
import Dashboard
import Directory
import Foundation
import Identity
import LocalNetwork
import NIOCore

extension Surroundings {
    /// What the set-up check asks of this machine and of DNS.
    static func network(
        _ machine: Machine, _ neighbours: NeighbourWatch, _ resolver: DNS.Resolver, _ ports: Ports,
        _ options: ServeCommand,
        key: Data
    ) -> NetworkFacts {
        var facts = NetworkFacts(
            neighbours: { neighbours.newest },
            routers: { routers(machine) },
            own: { Set(machine.addresses().map(\.address)).union(["127.0.0.1", "::1"]) },
            isAtHome: { address in machine.addresses().contains { $0.isOnNetwork(address) } },
            hasIPv6: {
                machine.addresses().contains { $0.isIPv6 && $0.isUseful }
            },
            loops: { resolver.loopingUpstreams.map(\.description) },
            lookForLoops: { resolver.lookForLoops() }, dnsPort: ports.dns)
        facts.isGateway = !options.gateway.isEmpty
        if let https = ports.https {
            let address = "https://\(options.name)" + (https == 443 ? "" : ":\(https)")
            facts.secureAddress = address
            if ports.dns != nil {
                facts.queryAddress = { "\(address)/dns-query/\(QueryName.of($0, key: key))" }
            }
        }
        return facts
    }
    /// Every address of the routers to the rest of the world, without this machine's own.
    static func routers(_ machine: Machine) -> Set<String> {
        // A router has other addresses too; they have its hardware address.
        let table = machine.neighbours()
        let gateways = Set(machine.routers().compactMap { IPAddress($0) })
        let hardware = Set(gateways.compactMap { table[$0] })
        return Set(gateways.union(table.hardware.filter { hardware.contains($0.value) }.keys).map(\.text))
            .subtracting(machine.addresses().map(\.address))
    }
}
