import Foundation
import Logging
package import Policy
import Store
import Synchronization

/// The minutes of the days that are kept, which every node has in the end: those that it counted while it was cut off, or
/// while the others were.
///
/// There is one key for each device and UTC day, whose value is the union of what nodes have.
struct Minutes: Sendable {
    /// Ninety days are stored; nodes are removing the oldest.
    static let daysKept = 88
    /// Seconds from one look at today's minutes to the next.
    static let period = 300

    /// Adds minutes to this node's own; nil: nobody counts here.
    var join: (@Sendable ([HourMask]) throws -> Void)?
    /// UTC days since 1970 that are to be compared, the next one last.
    var days: [Int] = []
    /// The newest day that was put among them since this node is in touch; nil: none.
    var newest: Int?
    /// What etcd lacks, and of which revision it lacks it.
    var missing: [(day: DeviceDay, revision: Int64)] = []
    /// Looks since the last comparison.
    var age = 0

    /// At first all days are to be compared; then, now and then, those since the day before. After a clock was set, that
    /// can be many.
    mutating func plan(for today: Int) {
        age += 1
        guard newest == nil || age >= Self.period else { return }
        let oldest = today - Self.daysKept + 1
        if let newest, newest <= today {
            days += max(oldest, newest - 1)...today
        } else {
            (days, missing) = (Array(oldest...today), [])
        }
        (newest, age) = (today, 0)
    }
}

extension Replica {
    /// Operations of one transaction, and its bytes.
    private static let portion = (count: 50, bytes: 300_000)
    /// What a look may spend on it: other nodes take this one for gone if it is silent for long.
    private static let spell = Duration.milliseconds(300)

    /// From now on this node's stored minutes and those of the other nodes are joined. `join` adds minutes of other nodes
    /// to the stored ones; it throws where they cannot be kept.
    package func whenCounted(_ join: @escaping @Sendable ([HourMask]) throws -> Void) {
        state.withLock { $0.minutes.join = join }
    }

    private var today: Int { Int((now().timeIntervalSince1970 / 86_400).rounded(.down)) }

    /// A part of what is to be done, each second; on `pulse`.
    func exchangeMinutes() throws(EtcdFault) {
        guard state.withLock({ $0.minutes.join }) != nil else { return }
        state.withLock { state in
            state.minutes.plan(for: today)
        }
        let end = ContinuousClock.now + Self.spell
        repeat {
            if let part = nextMissing() {
                try tell(part)
            } else if let day = state.withLock({ $0.minutes.days.popLast() }) {
                try compare(day)
            } else {
                return
            }
        } while ContinuousClock.now < end
    }

    /// Takes a day's minutes from etcd, and finds what it lacks.
    private func compare(_ day: Int) throws(EtcdFault) {
        let reading = try client.all(under: place.minutes(day))
        let people = Set(store.household.people.map(\.id))
        let known = Dictionary(
            reading.values.compactMap { key, value in
                place.deviceDay(of: key).map { ($0.device, (read(value.bytes, at: key), value.revision)) }
            }, uniquingKeysWith: { first, _ in first })
        do {
            try join(known.values.flatMap { $0.0?.only(people).masks ?? [] })
            let settled = Int(now().timeIntervalSince1970) - UsageRule.settling
            let own = try store.usage(onDay: day, before: settled / 60)
            let missing = own.compactMap { own -> (day: DeviceDay, revision: Int64)? in
                guard let (old, revision) = known[own.device] else { return (own, 0) }
                // What this node cannot read, another may.
                guard let old else { return nil }
                let new = old.only(people).union(own)
                return new == old ? nil : (new, revision)
            }
            state.withLock { $0.minutes.missing += missing }
        } catch {
            log.warning("Minutes of use are not the same on all machines", metadata: ["error": "\(error)"])
        }
    }

    private func nextMissing() -> [(key: String, value: Data, revision: Int64, day: Int)]? {
        var (part, bytes) = ([(key: String, value: Data, revision: Int64, day: Int)](), 0)
        while part.count < Self.portion.count, bytes < Self.portion.bytes,
            let (day, revision) = state.withLock({ $0.minutes.missing.popLast() })
        {
            let key = place.minutes(day.day, of: day.device)
            guard let text = try? day.encoded() else { continue }
            part.append((key, vault.current.seal(text, for: key), revision, day.day))
            bytes += text.count
        }
        return part.isEmpty ? nil : part
    }

    private func tell(_ part: [(key: String, value: Data, revision: Int64, day: Int)]) throws(EtcdFault) {
        let done = try commit(
            EtcdTransaction(
                comparing: Dictionary(uniqueKeysWithValues: part.map { ($0.key, $0.revision) }),
                puts: Dictionary(uniqueKeysWithValues: part.map { ($0.key, $0.value) })))
        guard done == nil else { return }
        // Another node was faster with one of them.
        state.withLock { $0.minutes.days.append(contentsOf: Set(part.map(\.day))) }
    }

    /// On `hearing`.
    func takeMinutes(_ news: EtcdNews) {
        let people = Set(store.household.people.map(\.id))
        let days = news.puts.compactMap { read($0.value.bytes, at: $0.key) }
        do { try join(days.flatMap { $0.only(people).masks }) } catch {
            log.warning("Minutes of another machine cannot be kept", metadata: ["error": "\(error)"])
        }
    }

    /// Days that are over count for nothing.
    private func join(_ masks: [HourMask]) throws {
        let oldest = (today - Minutes.daysKept + 1) * 24
        let kept = masks.filter { $0.hour >= oldest }
        guard !kept.isEmpty, let join = state.withLock({ $0.minutes.join }) else { return }
        try join(kept)
    }

    /// Nil: it is something else, or none of this household's.
    private func read(_ value: Data, at key: String) -> DeviceDay? {
        guard let place = place.deviceDay(of: key), let text = vault.current.open(value, for: key) else {
            return nil
        }
        return try? DeviceDay(place.device, day: place.day, encoded: text)
    }

    /// A clock that nobody set must not remove what the others keep.
    func forgetMinutes() throws(EtcdFault) {
        guard clock.isSynchronised() else { return }
        try client.deleteAll(
            from: place.minutes(0), to: place.minutes(max(0, today - Minutes.daysKept + 1)))
    }
}
