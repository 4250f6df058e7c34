import Foundation
package import Policy
import Synchronization

/// The live checks of the last ten minutes, in memory only.
///
/// Bounded twice, because anybody on the network may begin a check: at the first bound the oldest check of the same
/// address is dropped, at the second the oldest of all. Ages are seconds of a clock that never goes back.
package final class CheckBook: Sendable {
    struct Entry: Sendable {
        let address: String
        let begun: Double
        var questions: Set<SetupCheck.Question> = []
        /// The one-time names that were loaded, and the addresses that loaded them.
        var loads: Set<SetupCheck.Question> = []
        /// Addresses that loaded the one-time name over TLS that the browser trusted.
        var secureLoads: Set<String> = []
        /// Whether the page was loaded over TLS.
        var isSecure = false
        /// Whether a proxy named itself in the request for the page or for a one-time name.
        var hasProxy = false
    }

    fileprivate struct State {
        var entries: [String: Entry] = [:]
        var signs: [String: [SetupCheck.Sign: Double]] = [:]
    }

    static let capacity = 256
    static let mostOfAnAddress = 8
    /// Questions and loads of one check; a browser makes about a dozen.
    static let mostTraces = 48

    private let uptime: @Sendable () -> Double
    private let state = Mutex(State())

    init(uptime: @escaping @Sendable () -> Double) { self.uptime = uptime }

    /// Begins a check for an address.
    /// - Returns: its 32 hex digits.
    func begin(for address: String, isSecure: Bool = false, hasProxy: Bool = false) -> String {
        let now = uptime()
        var random = SystemRandomNumberGenerator()
        let id = (0..<16).map { _ in
            let byte = UInt8.random(in: .min ... .max, using: &random)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        state.withLock { state in
            state.forget(at: now)
            let own = state.entries.filter { $0.value.address == address }
            if own.count >= Self.mostOfAnAddress { state.dropOldest(of: own) }
            if state.entries.count >= Self.capacity { state.dropOldest(of: state.entries) }
            state.entries[id] = Entry(
                address: address, begun: now, isSecure: isSecure, hasProxy: hasProxy)
        }
        return id
    }

    /// Stores what DNS noted; drops questions for names that were not given out here.
    package func note(
        _ questions: [SetupCheck.Question], signs: [(address: String, sign: SetupCheck.Sign)]
    ) {
        guard !questions.isEmpty || !signs.isEmpty else { return }
        let now = uptime()
        state.withLock { state in
            state.forget(at: now)
            for question in questions
            where (state.entries[question.id]?.questions.count ?? .max) < Self.mostTraces {
                state.entries[question.id]?.questions.insert(question)
            }
            for (address, sign) in signs
            where state.signs[address] != nil || state.signs.count < Self.capacity {
                state.signs[address, default: [:]][sign] = now
            }
        }
    }

    /// A one-time name was loaded from an address.
    func note(load: SetupCheck.Question, hasProxy: Bool = false) {
        state.withLock { state in
            state.forget(at: uptime())
            if hasProxy { state.entries[load.id]?.hasProxy = true }
            guard (state.entries[load.id]?.loads.count ?? .max) < Self.mostTraces else { return }
            state.entries[load.id]?.loads.insert(load)
        }
    }

    /// A one-time name was loaded over TLS from an address.
    func note(secureLoad id: String, from address: String) {
        state.withLock { state in
            state.forget(at: uptime())
            guard (state.entries[id]?.secureLoads.count ?? .max) < Self.mostTraces else { return }
            state.entries[id]?.secureLoads.insert(address)
        }
    }

    /// Nil once it is older than ten minutes.
    func entry(_ id: String) -> Entry? {
        state.withLock { state in
            state.forget(at: uptime())
            return state.entries[id]
        }
    }

    func signs(of addresses: Set<String>) -> Set<SetupCheck.Sign> {
        state.withLock { state in
            state.forget(at: uptime())
            return Set(addresses.flatMap { state.signs[$0].map { Array($0.keys) } ?? [] })
        }
    }
}

extension CheckBook.State {
    fileprivate mutating func forget(at now: Double) {
        func isRecent(_ instant: Double) -> Bool { now - instant < SetupCheck.lifetime }
        entries = entries.filter { isRecent($0.value.begun) }
        signs = signs.compactMapValues { signs in
            let recent = signs.filter { isRecent($0.value) }
            return recent.isEmpty ? nil : recent
        }
    }

    fileprivate mutating func dropOldest(of some: [String: CheckBook.Entry]) {
        guard let oldest = some.min(by: { $0.value.begun < $1.value.begun }) else { return }
        entries[oldest.key] = nil
    }
}
