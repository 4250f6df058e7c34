import Assets
import DNS
import Dashboard
import Directory
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
    /// What the shield asks of verdicts, the clock, the pages, the files, and of whoever does what its buttons say.
    static func facts(
        _ latest: LatestSnapshot, _ neighbours: NeighbourWatch, _ clock: WallClock, _ face: ShieldFace,
        _ presses: ShieldPresses,
        key: Data, _ assets: AssetLibrary
    ) -> ShieldFacts {
        ShieldFacts(
            meet: { address in
                guard let address = IPAddress(address), !address.isLoopback, neighbours.newest[address] == nil
                else { return nil }
                return { await neighbours.look() }
            },
            holder: { address in neighbours.newest.holder(of: address) },
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
