package import Foundation

/// Which addresses were answered for which names to enrolled devices within the last hour. It lives in memory only, and
/// a gateway only has it; names that are in force are kept for as long as they are.
package struct AnsweredNames: Sendable {
    /// For how long an answer counts, in seconds.
    package static let lifetime: TimeInterval = 3600
    /// Of which the one that was answered longest ago makes room.
    package static let mostNames = 8192
    package static let mostAddresses = 64

    private(set) var names: [String: [String: Date]] = [:]

    package init() {}

    package var isEmpty: Bool { names.isEmpty }
    package var count: Int { names.count }

    /// Takes the addresses of an answer, in canonical text, for a folded name.
    package mutating func note(_ name: String, _ addresses: some Sequence<String>, at now: Date) {
        var known = names[name] ?? [:]
        for address in addresses { known[address] = now }
        while known.count > Self.mostAddresses, let oldest = known.min(by: { $0.value < $1.value }) {
            known[oldest.key] = nil
        }
        names[name] = known
    }

    /// Forgets what is older than an hour, or comes from a clock that was ahead, and what is too much.
    /// - Parameters:
    ///   - kept: addresses that are rejected by names; they stay until nothing rejects them.
    ///   - isAnApps: names that go last where there are too many, because rules speak of them: somebody who looks up
    ///     thousands of others empties nothing.
    package mutating func forget(
        at now: Date, keeping kept: [String: Set<String>] = [:], isAnApps: (String) -> Bool = { _ in false }
    ) {
        for (name, addresses) in names {
            let held = kept[name] ?? []
            let left = addresses.filter { held.contains($0.key) || Self.isRecent($0.value, at: now) }
            if left.count != addresses.count { names[name] = left.isEmpty ? nil : left }
        }
        guard names.count > Self.mostNames else { return }
        let inTurn = names.filter { kept[$0.key] == nil }
            .map { (name: $0.key, isAnApps: isAnApps($0.key), at: Self.latest($0.value)) }
            .sorted { $0.isAnApps == $1.isAnApps ? $0.at < $1.at : $1.isAnApps }
        for each in inTurn.prefix(names.count - Self.mostNames * 9 / 10) { names[each.name] = nil }
    }

    static func isRecent(_ at: Date, at now: Date) -> Bool {
        (-1..<lifetime).contains(now.timeIntervalSince(at))
    }

    private static func latest(_ addresses: [String: Date]) -> Date { addresses.values.max() ?? .distantPast }
}
