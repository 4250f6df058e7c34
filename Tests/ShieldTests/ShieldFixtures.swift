import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Policy
import Shield
import Synchronization

/// A house of one rule for tests: a clock that is moved by hand, and a set of names that are open.
final class TestHouse: Sendable {
    struct State {
        var now = Date(timeIntervalSince1970: 1_780_000_000)
        var until = Date(timeIntervalSince1970: 1_780_003_600)
        var open: Set<String> = ["open.example"]
    }

    let state = Mutex(State())
    /// Addresses and names that were asked for.
    let asked = Mutex<[String]>([])

    var facts: ShieldFacts {
        ShieldFacts(
            verdict: { address, name in
                self.asked.withLock { $0.append("\(address) \(name)") }
                let state = self.state.withLock { $0 }
                if state.open.contains(name) || state.now >= state.until { return NameVerdict(block: nil) }
                return NameVerdict(
                    block: Block(
                        layer: .sleep, scope: .everythingBut(AppSelection()), since: state.until - 3600,
                        until: state.until))
            },
            now: { self.state.withLock { $0.now } },
            page: { context in
                let left = context.remainingSeconds.map { "\($0) of \(context.totalSeconds!)" } ?? "open"
                return Array("<h1>\(context.name) \(left) \(context.origin)</h1>".utf8)
            },
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
