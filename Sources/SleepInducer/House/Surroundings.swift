import Assets
import DNS
import Dashboard
import Enforcement
import Foundation
import LocalNetwork
import Logging
import NIOCore
import Pages
import Policy
import Shield
import Store

/// How the rooms that may not know each other are shown to one another.
enum Surroundings {
    /// What the site asks of the files and of the house's condition.
    static func of(
        _ assets: AssetLibrary, _ condition: Condition, _ machine: Machine, _ neighbours: Neighbours,
        _ suggestions: SuggestedTasksFile, _ erasure: Erasure, _ applied: AppliedRevision,
        _ courier: Courier, _ gauges: Gauges, _ blocked: BlockedLately, _ network: NetworkFacts,
        _ trust: TrustFacts
    ) -> HomeSite.Surroundings {
        HomeSite.Surroundings(
            file: { path in
                assets.asset(at: "Public/\(path)").map {
                    StaticFile(bytes: $0.bytes, mediaType: $0.mediaType, hash: $0.hash)
                }
            },
            health: { HomeSite.Health(isReady: condition.isReady, refused: condition.refused) },
            hardwareAddress: { machine.neighbours()[$0] }, holder: neighbours.holder(ofConnected:),
            metrics: { gauges.text }, suggestions: suggestions,
            courier: courier, ownAddresses: { machine.addresses().map(\.address) }, network: network,
            trust: trust, relayFault: { condition.relayFault },
            justBlocked: { blocked.names(of: $0, person: $1) },
            applied: { await applied.reach($0) }, erase: { try erasure.erase() })
    }

    /// What the shield asks of verdicts, the clock, the pages, the files, and of whoever does what its buttons say.
    static func facts(
        _ latest: LatestSnapshot, _ neighbours: Neighbours, _ clock: WallClock, _ face: ShieldFace,
        _ presses: ShieldPresses,
        key: Data, _ assets: AssetLibrary
    ) -> ShieldFacts {
        ShieldFacts(
            known: latest.known, holder: neighbours.holder(ofConnected:),
            verdict: { address, name in latest.verdict(of: name, at: address) },
            now: clock.now, page: face.page,
            act: { action, page in await presses.take(action, on: page) }, key: key,
            asset: { path in
                assets.asset(at: "Public/\(path)").map {
                    ShieldAsset(contentType: $0.mediaType, bytes: $0.bytes)
                }
            })
    }

    /// The connections that the front door hands over.
    static func dashboard(_ site: HomeSite) -> FrontDoor.Dashboard {
        let adopt = site.adopter()
        return { channel, manner, logger in
            let kind: HomeSite.ConnectionKind =
                switch manner {
                case .plain: .plain
                case .secure: .secure
                case .stream: .stream
                }
            return adopt(channel, kind, logger)
        }
    }

    /// The requests that the front door hands to DNS.
    static func queries(_ resolver: DNS.Resolver) -> FrontDoor.Queries {
        FrontDoor.Queries(
            isTarget: { DNS.Resolver.isQuery(target: $0) },
            serve: { try resolver.answerRequests(on: $0, isStream: $1) })
    }
}
