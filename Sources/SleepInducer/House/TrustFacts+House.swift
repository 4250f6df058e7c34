import Dashboard
import Directory
import Identity
import LocalNetwork
import Policy

extension TrustFacts {
    /// What the pages need from the household's authority; its key stays in the keeper.
    init(_ ground: Ground, authorities: AuthorityKeeper) {
        let own = ground.network.ownNames.name
        let scope: @Sendable ([App]) -> AuthorityScope = {
            [catalog = ground.catalog, network = ground.network] in
            AuthorityScope(ownNames: network.ownNames.all, catalog: catalog.adding($0))
        }
        self.init()
        authority = { now in authorities.valid(at: now).map(Authority.init) }
        make = { ownApps, now in _ = try authorities.make(scope(ownApps), at: now) }
        missing = { ownApps in authorities.current?.scope.missing(from: scope(ownApps)) ?? [] }
        // Own names come first in every scope, so the catalog does not matter.
        canSpeakForOwnName = AuthorityScope(
            ownNames: [own], catalog: Catalog(categories: [], apps: [], alwaysReachable: [])
        ).permits(own)
        httpsPort = ground.ports.https
        addresses = { ground.listening.reachable }
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
