import Dashboard
import Identity
import LocalNetwork
import Policy
import Sockets

extension Surroundings {
    /// What the pages ask of the household's authority; its key stays in the keeper.
    static func trust(
        _ authorities: AuthorityKeeper, _ machine: Machine, _ ports: Ports, _ options: ServeCommand,
        _ catalog: Catalog
    ) -> TrustFacts {
        let names = [options.name, "\(machine.hostName).local"].map { $0.lowercased() }
        let scope: @Sendable ([App]) -> AuthorityScope = {
            AuthorityScope(ownNames: names, catalog: catalog.adding($0))
        }
        var facts = TrustFacts()
        facts.authority = { now in authorities.valid(at: now).map(TrustFacts.Authority.init) }
        facts.make = { ownApps, now in _ = try authorities.make(scope(ownApps), at: now) }
        facts.missing = { ownApps in authorities.current?.scope.missing(from: scope(ownApps)) ?? [] }
        facts.canSpeakForOwnName = scope([]).permits(options.name.lowercased())
        facts.httpsPort = ports.https
        facts.addresses = {
            Listening(machine.addresses(), options).reachable
        }
        return facts
    }
}

extension TrustFacts.Authority {
    fileprivate init(_ authority: HouseholdAuthority) {
        self.init(
            name: authority.name, fingerprint: authority.fingerprint, certificate: authority.der,
            made: authority.made, ends: authority.ends,
            names: authority.scope.permitted.count)
    }
}
