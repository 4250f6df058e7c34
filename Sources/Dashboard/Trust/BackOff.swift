package import Foundation
import Synchronization

/// How long an address must wait after wrong passcodes: three tries are free, then 2, 4, 8 … s up to 15 min.
///
/// It is kept per address (IPv6: per /64, which one device fills at will), never for all: nobody can lock the
/// household out by guessing. A try is counted before its passcode is checked, so that parallel ones do not slip
/// through together.
package final class BackOff: Sendable {
    private struct Tries {
        var count: Int
        var latest: Date
    }

    package static let freeTries = 3
    package static let longestWait: TimeInterval = 15 * 60
    /// Without a try for this long (seconds) an address starts anew.
    package static let memory: TimeInterval = 24 * 60 * 60
    private static let maximumAddresses = 4096

    private let tries = Mutex<[String: Tries]>([:])

    package init() {}

    /// Counts a try; nil: go ahead, otherwise the whole seconds until the next one is looked at.
    package func admit(_ address: String, at now: Date) -> Int? {
        let key = Self.key(of: address)
        return tries.withLock { tries in
            var entry = tries[key] ?? Tries(count: 0, latest: now)
            if now.timeIntervalSince(entry.latest) > Self.memory { entry = Tries(count: 0, latest: now) }
            // Of a try that a clock ahead dated, only that it was is known: its wait begins now.
            entry.latest = min(entry.latest, now)
            let wait = Self.wait(after: entry.count)
            let passed = now.timeIntervalSince(entry.latest)
            if passed < wait {
                tries[key] = entry
                return Int((wait - passed).rounded(.up))
            }
            if tries.count >= Self.maximumAddresses, tries[key] == nil,
                let oldest = tries.min(by: { $0.value.latest < $1.value.latest })?.key
            {
                tries[oldest] = nil
            }
            tries[key] = Tries(count: entry.count + 1, latest: now)
            return nil
        }
    }

    package func succeeded(_ address: String) {
        tries.withLock { $0[Self.key(of: address)] = nil }
    }

    private static func wait(after count: Int) -> TimeInterval {
        guard count >= freeTries else { return 0 }
        return min(longestWait, pow(2, Double(min(count - freeTries + 1, 12))))
    }

    private static func key(of address: String) -> String {
        guard address.contains(":") else { return address }
        var groups = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &groups) == 1 else { return address }
        return groups.prefix(8).map { String($0, radix: 16) }.joined(separator: ".")
    }
}
