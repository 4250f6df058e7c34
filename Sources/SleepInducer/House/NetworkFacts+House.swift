import DNS
import Dashboard
import Directory
import Identity
import LocalNetwork
import Store

extension NetworkFacts {
    /// What the set-up check needs from this machine and from DNS.
    init(_ ground: Ground, resolver: DNS.Resolver) {
        let (machine, ports, name) = (ground.machine, ground.ports, ground.options.name)
        self.init(
            neighbours: { [neighbours = ground.neighbours] in neighbours.newest },
            routers: machine.allRouters,
            own: { Set(machine.addresses().map(\.address)).union(["127.0.0.1", "::1"]) },
            isAtHome: { address in machine.addresses().contains { $0.isOnNetwork(address) } },
            hasIPv6: {
                machine.addresses().contains { $0.isIPv6 && $0.isUseful }
            },
            loops: { resolver.loopingUpstreams.map(\.description) },
            lookForLoops: { resolver.lookForLoops() }, dnsPort: ports.dns)
        admits = { text in ClientAddress(text).map { ground.listening.home.has($0) } ?? false }
        isBehindProxy = !ground.options.behindProxy.isEmpty
        isBehindForwarder = !ground.options.forwarder.isEmpty
        isGateway = !ground.options.gateway.isEmpty
        if let https = ports.https {
            let address = "https://\(name)" + (https == 443 ? "" : ":\(https)")
            secureAddress = address
            if ports.dns != nil {
                queryAddress = { [key = ground.store.secret] in
                    "\(address)/dns-query/\(QueryName.of($0, key: key))"
                }
            }
        }
    }
}
