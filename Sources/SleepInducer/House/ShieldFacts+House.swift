import Assets
import DNS
import Directory
import Enforcement
import LocalNetwork
import Policy
import Shield
import Store

extension ShieldFacts {
    /// What the shield needs: verdicts, the clock, pages, files, and the rules that its buttons run.
    init(
        _ ground: Ground, latest: LatestSnapshot, mornings: Mornings, applied: AppliedRevision
    ) {
        let face = ShieldFace(
            latest: latest, renderer: ground.renderer, suggestions: ground.suggestions,
            mornings: mornings)
        let presses = ShieldPresses(
            store: ground.store, clock: ground.clock, latest: latest, applied: applied,
            logger: ground.logger)
        self.init(
            meet: { [neighbours = ground.neighbours] address in
                guard let address = IPAddress(address), !address.isLoopback, neighbours.newest[address] == nil
                else { return nil }
                return { await neighbours.look() }
            },
            holder: { [neighbours = ground.neighbours] address in neighbours.newest.holder(of: address) },
            verdict: { address, name in latest.verdict(of: name, at: address) },
            now: ground.clock.now, page: face.page,
            act: { action, page in await presses.take(action, on: page) }, key: ground.store.secret,
            asset: { [assets = ground.assets] path in
                assets.asset(at: "Public/\(path)").map {
                    ShieldAsset(contentType: $0.mediaType, bytes: $0.bytes)
                }
            })
    }
}

extension FrontDoor.Queries {
    /// The requests that the front door hands to DNS.
    init(_ resolver: DNS.Resolver) {
        self.init(
            isTarget: { DNS.Resolver.isQuery(target: $0) },
            serve: { try resolver.answerRequests(on: $0) },
            serveStreams: { try resolver.answerStreams(on: $0, admits: $1) })
    }
}
