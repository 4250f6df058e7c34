import Foundation
import Policy
import Synchronization

/// The keys in the QR code on a page with a login: a phone that opens one says whose it is without the passcode.
///
/// The first device that says so takes the key, and for the rest of its hour it opens for that device only. Keys are in
/// memory: a restart ends them, and the page then shows a new one.
final class PhoneInvitations: Sendable {
    /// How long a key opens, in seconds.
    static let duration: TimeInterval = 3_600

    fileprivate struct Key {
        let text: String
        let ends: Date
        var taker: DeviceID?

        func isOpen(at now: Date) -> Bool { now < ends && ends <= now + PhoneInvitations.duration }
    }

    private let keys = Mutex<[Key]>([])

    /// The key to show: the same for every page, until it is taken or half its time is over.
    func key(at now: Date) -> String {
        keys.withLock { keys in
            keys.removeAll { !$0.isOpen(at: now) }
            if let key = keys.last, key.taker == nil, key.ends > now + Self.duration / 2 { return key.text }
            let text = (0..<20).map { _ in String(Int.random(in: 0..<16), radix: 16) }.joined()
            keys.append(Key(text: text, ends: now + Self.duration))
            return text
        }
    }

    /// Whether a key opens for a device; nil: a device that is not known yet.
    func isOpen(_ key: String, for device: DeviceID?, at now: Date) -> Bool {
        keys.withLock { keys in
            keys.contains { $0.matches(key) && $0.isOpen(at: now) && ($0.taker == nil || $0.taker == device) }
        }
    }

    /// The devices that took a key within its hour.
    func takers(at now: Date) -> Set<DeviceID> {
        keys.withLock { keys in Set(keys.filter { $0.isOpen(at: now) }.compactMap(\.taker)) }
    }

    /// Takes a key for a device; false if it does not open for it.
    func take(_ key: String, by device: DeviceID, at now: Date) -> Bool {
        keys.withLock { keys in
            let index = keys.firstIndex {
                $0.matches(key) && $0.isOpen(at: now) && ($0.taker == nil || $0.taker == device)
            }
            guard let index else { return false }
            keys[index].taker = device
            return true
        }
    }
}

extension PhoneInvitations.Key {
    fileprivate func matches(_ sent: String) -> Bool { constantTimeEqual(text, sent) }
}
