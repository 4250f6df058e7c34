import Assets
import DNS
import Directory
import LocalNetwork
import Logging
import Policy

extension Gateway {
    /// Nil where this machine is no gateway, or answers no DNS.
    static func of(
        _ options: ServeCommand, _ resolver: DNS.Resolver, _ resolution: DNS.Resolver.Configuration,
        _ machine: Machine, _ ports: Ports, _ latest: LatestSnapshot, _ assets: AssetLibrary,
        condition: Condition, logger: Logger
    ) -> Gateway? {
        guard !options.gateway.isEmpty, let port = ports.dns else { return nil }
        let facts = Facts(
            interfaces: options.gateway, encryptedResolvers: EncryptedResolvers.addresses(from: assets),
            isEncryptedResolver: EncryptedResolvers.owns,
            upstreams: Set(
                (resolution.upstreams + resolution.localUpstreams).compactMap(\.address)
                    .compactMap { ClientAddress($0)?.text }),
            standsBeforeRules: resolution.standsBeforeRules(),
            snapshot: { latest.value },
            desk: {
                Listening(machine.addresses(), options)
                    .desk(towards: options.gateway, port: port)
            },
            answers: { await resolver.collectAnswers() }, closed: { resolver.hold(answersThatLeadTo: $0) })
        return Gateway(facts, condition: condition, logger: logger)
    }
}

extension Listening {
    /// The addresses on some interfaces to which questions can be led: never link-local ones, which need a zone.
    func desk(towards interfaces: [String], port: Int) -> GatewayRules.Desk {
        let found = machine.filter {
            interfaces.contains($0.interface) && addresses.contains($0.bindText) && $0.isUseful
        }
        return GatewayRules.Desk(
            v4: found.first { !$0.isIPv6 }?.address, v6: found.first { $0.isIPv6 }?.address, port: port)
    }
}
