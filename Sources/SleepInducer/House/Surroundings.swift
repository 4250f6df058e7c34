import Assets
import Dashboard
import Foundation
import Logging
import NIOCore
import Pages
import Policy
import Shield

/// How the rooms that may not know each other are shown to one another.
enum Surroundings {
    /// What the site asks of the files and of the house's condition.
    static func of(
        _ assets: AssetLibrary, _ condition: Condition, _ machine: Machine
    ) -> HomeSite.Surroundings {
        HomeSite.Surroundings(
            file: { path in
                assets.asset(at: "Public/\(path)").map {
                    StaticFile(bytes: $0.bytes, mediaType: $0.mediaType, hash: $0.hash)
                }
            },
            health: { HomeSite.Health(isReady: condition.isReady, refused: condition.refused) },
            hardwareAddress: { machine.neighbours()[$0] })
    }

    /// What the shield asks of verdicts, the clock, the pages and the files.
    static func facts(
        _ latest: LatestSnapshot, _ clock: WallClock, _ renderer: PageRenderer, _ assets: AssetLibrary
    ) -> ShieldFacts {
        ShieldFacts(
            verdict: { address, name in latest.verdict(of: name, at: address) },
            now: clock.now,
            page: { context in shield(context, latest.value?.household, renderer) },
            asset: { path in
                assets.asset(at: "Public/\(path)").map {
                    ShieldAsset(contentType: $0.mediaType, bytes: $0.bytes)
                }
            })
    }

    /// The connections that the front door hands over.
    static func dashboard(_ site: HomeSite) -> FrontDoor.Dashboard {
        let adopt = site.adopter()
        return { channel, logger in adopt(channel, false, logger) }
    }

    private static func shield(_ facts: ShieldContext, _ household: Household?, _ renderer: PageRenderer)
        -> [UInt8]
    {
        let zone = household.flatMap { TimeZone(identifier: $0.timeZone) } ?? .gmt
        let offersHelp = household?.offersHelp ?? true
        let context = PageContext(
            now: facts.now, zone: zone, offersHelp: offersHelp, assetPrefix: "/.sleep-inducer/assets/",
            eventsPath: "/.sleep-inducer/events")
        let page =
            facts.verdict.block.map { block in
                ShieldPage(
                    name: facts.name, block: block, now: facts.now, zone: zone,
                    help: offersHelp ? "\(facts.origin)/help" : nil)
            } ?? ShieldPage(lettingGo: facts.name)
        // A template that is being edited must not open a way around: the words alone are a shield too.
        guard let html = try? renderer.render(page, in: context) else {
            return [UInt8]("Sleep Mode Active".utf8)
        }
        return [UInt8](html.utf8)
    }
}
