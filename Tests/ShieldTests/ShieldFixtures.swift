import Directory
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Policy
import Shield
import Synchronization

/// A household with one rule for tests: a manual clock, and a set of open names.
final class TestHouse: Sendable {
    struct State {
        var now = Date(timeIntervalSince1970: 1_780_000_000)
        var until = Date(timeIntervalSince1970: 1_780_003_600)
        var open: Set<String> = ["open.example"]
        /// The limit's part of the verdict on every blocked name.
        var limit: LimitShield?
        var device: DeviceID?
        var person: PersonID? = PersonID(rawValue: 1)
        var outcome = ShieldOutcome.done
    }

    let state = Mutex(State())
    /// The addresses and names that were asked for.
    let asked = Mutex<[String]>([])
    /// The presses that were carried out: action, address and name.
    let pressed = Mutex<[String]>([])
    /// The page as last rendered, with its seals.
    let shown = Mutex<ShieldContext?>(nil)

    var facts: ShieldFacts {
        ShieldFacts(
            verdict: { address, name in
                self.asked.withLock { $0.append("\(address) \(name)") }
                let state = self.state.withLock { $0 }
                if state.open.contains(name) || state.now >= state.until {
                    return NameVerdict(block: nil, person: state.person, device: state.device)
                }
                return NameVerdict(
                    block: Block(
                        layer: state.limit == nil ? .sleep : .limits, scope: .everythingBut(AppSelection()),
                        since: state.until - 3600, until: state.until), person: state.person,
                    device: state.device, limit: state.limit)
            },
            now: { self.state.withLock { $0.now } },
            page: { context in
                self.shown.withLock { $0 = context }
                if let note = context.note { return Array("<h1>\(note)</h1>".utf8) }
                func seconds(_ time: TimeInterval) -> Int { max(0, Int(time.rounded(.up))) }
                let left = context.verdict.block.flatMap { block in
                    block.until.map { until in
                        let total = seconds(until.timeIntervalSince(block.since))
                        return "\(seconds(until.timeIntervalSince(context.now))) of \(total)"
                    }
                }
                return Array("<h1>\(context.name) \(left ?? "open") \(context.origin)</h1>".utf8)
            },
            act: { action, context in
                self.pressed.withLock { $0.append("\(action) \(context.address) \(context.name)") }
                return self.state.withLock { $0.outcome }
            }, key: Data("a secret of this house".utf8),
            asset: {
                $0 == "night.css" ? ShieldAsset(contentType: "text/css", bytes: Array("b{}".utf8)) : nil
            })
    }

    func pass(_ seconds: TimeInterval) { state.withLock { $0.now += seconds } }
}

let ownNames = OwnNames(name: "sleep.home.arpa", hostName: "pi")

/// Reads what a channel has written so far.
func written(_ channel: EmbeddedChannel) throws -> String {
    var text = ""
    while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
    return text
}

extension EmbeddedChannel {
    func receive(_ text: String) throws { try writeInbound(ByteBuffer(string: text)) }
}

/// TikTok has used 30 of its 30 minutes.
let usedUp = LimitShield(
    target: .app("tiktok"), targetName: "TikTok",
    app: App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"]), used: 30,
    allowed: 30,
    resetsAt: Date(timeIntervalSince1970: 1_780_003_600), unlock: .offered(left: nil))
