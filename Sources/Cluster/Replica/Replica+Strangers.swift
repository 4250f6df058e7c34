import Foundation
import Logging
package import Policy
import Store
import Synchronization

// Who can write into etcd without the household's key can delete its records or put earlier ones in their places. Nothing
// of it is heard, because the head's proof does not fit. The nodes that know the last change put the records right.

extension Replica {
    /// Operations of one transaction.
    private static let portion = 100

    /// When somebody without the household's key was seen to change records in etcd; nil: never since the start.
    package var strangers: HouseMachines.Strangers? { state.withLock { $0.strangers } }

    /// Whether a change after `head` has a proof: once there was one, always. The first comes when no machine has a build
    /// that would make changes without.
    func isProven(after head: Head) -> Bool {
        head.chain != nil
            || state.withLock { state in
                state.roll.members.allSatisfy {
                    $0.key == node || $0.value.hasLeft || $0.value.proves == true
                }
            }
    }

    /// What one revision changed without a change of the household. On `hearing`.
    func noteStrangers(in news: EtcdNews) {
        guard let agreed = store.agreed, agreed.head.chain != nil, news.revision > agreed.head.revision else {
            return
        }
        let names = Set((Array(news.puts.keys) + news.deletions).compactMap(place.textName))
        let strange = names.filter { name in
            let key = place.text(name)
            return vault.text(news.puts[key]?.bytes, at: key) != agreed.texts[name]
        }
        guard !strange.isEmpty || news.puts[place.head] != nil else { return }
        noteStrangers(max(1, strange.count))
    }

    /// What in the whole state is not what the nodes agreed on.
    func noteStrangers(in reading: EtcdReading) {
        guard let mending = mending(of: reading) else { return }
        if !mending.isEmpty { noteStrangers(mending.count) }
        if isOlder(reading) { state.withLock { $0.isToMend = true } }
    }

    /// Whether a text is sealed with an older key: who took a node out was interrupted.
    private func isOlder(_ reading: EtcdReading) -> Bool {
        let newest = vault.current.newest
        return reading.values.contains { key, value in
            place.textName(of: key) != nil && HouseholdKeys.number(of: value.bytes) != newest
        }
    }

    private func noteStrangers(_ count: Int) {
        let instant = now()
        state.withLock { state in
            state.strangers = .init(since: state.strangers?.since ?? instant, last: instant)
            state.isToMend = true
        }
        log.error(
            "Somebody without the household's key changed records in etcd. They count for nothing here",
            metadata: ["records": "\(count)"])
    }

    /// Each text that is not as agreed, as it should be, by its key; nil: this node does not know the last change.
    ///
    /// - Parameter isAnew: also what an older key sealed.
    private func mending(of reading: EtcdReading, isAnew: Bool = false) -> [String: String?]? {
        guard let agreed = store.agreed, agreed.head.chain != nil,
            reading.values[place.head]?.revision == agreed.head.revision
        else { return nil }
        var wrong: [String: String?] = [:]
        for key in reading.values.keys where place.textName(of: key) != nil { wrong[key] = .some(nil) }
        for (name, text) in agreed.texts {
            let key = place.text(name)
            let bytes = reading.values[key]?.bytes
            let isNewest = bytes.flatMap(HouseholdKeys.number) == vault.current.newest
            if vault.text(bytes, at: key) == text, isNewest || !isAnew {
                wrong[key] = nil
            } else {
                wrong[key] = .some(text)
            }
        }
        return wrong
    }

    /// Puts records right that somebody else changed, so that other nodes can read them. On `pulse`.
    func mend() throws(EtcdFault) {
        guard state.withLock({ $0.isToMend }) else { return }
        let reading = try client.all(under: place.now)
        // Where another node knows more, that node does it.
        guard let wrong = mending(of: reading, isAnew: true), let head = reading.values[place.head] else {
            return
        }
        let part = wrong.prefix(Self.portion)
        guard !part.isEmpty else { return state.withLock { $0.isToMend = false } }
        var transaction = EtcdTransaction(comparing: [place.head: head.revision])
        for (key, text) in part {
            if let text {
                transaction.puts[key] = vault.seal(text, at: key)
            } else {
                transaction.deletions.insert(key)
            }
        }
        if try commit(transaction) != nil {
            log.warning("Records in etcd were put right", metadata: ["records": "\(part.count)"])
        }
    }
}
