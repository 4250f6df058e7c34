package import Directory
package import Foundation
import Policy
import Synchronization

/// A client that tries a passcode.
package enum Trier: Hashable, Sendable {
    /// A browser that logged in before (`KnownBrowser`). It waits only for its own tries, so that guessing cannot lock
    /// the household out.
    case known(String)
    case unknown(Holder, network: String)

    /// A client whose browser never logged in.
    ///
    /// - Parameter address: canonical text; its network is the /24 of IPv4, or the /48 of IPv6, which one customer has.
    package init(_ holder: Holder, at address: String) {
        let bytes = Reach.bytes(address) ?? []
        let network = bytes.prefix(bytes.count == 4 ? 3 : 6).map(String.init).joined(separator: ".")
        self = .unknown(holder, network: network)
    }
}

/// How long a client must wait after wrong passcodes.
///
/// Each client (a device, or a known browser) waits alone: three tries are free, then it waits 2, 4, 8 … s, up to 15
/// min. Unknown browsers also share a pause if many tries were wrong, in their network or anywhere: one try a second is
/// admitted, then one every two seconds, up to a minute, in turn. A try counts before its passcode is checked, so that
/// parallel tries do not all get in. Instants are seconds of the monotonic clock.
package final class BackOff: Sendable {
    fileprivate struct Tries {
        var count = 0
        var latest: TimeInterval
        /// When its try is admitted, if it shares a pause with others.
        var turn: TimeInterval?
    }

    fileprivate struct Book {
        var tries: [Trier: Tries] = [:]
        var networks: [String: SharedPause] = [:]
        var anywhere = SharedPause(freeTries: 40)
    }

    package static let freeTries = 3
    package static let longestWait: TimeInterval = 15 * 60
    /// After this long without a try, in seconds, a client starts anew.
    package static let memory: TimeInterval = 24 * 60 * 60
    /// The most clients that are remembered, to limit memory.
    fileprivate static let most = 4096

    private let book = Mutex(Book())

    package init() {}

    /// Counts a try. Nil: it is admitted; otherwise the whole seconds until the next one is.
    package func admit(_ trier: Trier, at now: TimeInterval) -> Int? {
        book.withLock { book in
            var entry = book.tries[trier] ?? Tries(latest: now)
            if now - entry.latest > Self.memory { entry = Tries(latest: now) }
            defer { book.keep(entry, of: trier) }
            let own = entry.latest + Self.wait(after: entry.count) - now
            if own > 0 { return Int(own.rounded(.up)) }
            if case .unknown(_, let network) = trier {
                let wait = book.wait(&entry, in: network, at: now)
                if wait > 0 { return Int(wait.rounded(.up)) }
                book.count(1, in: network, at: now)
            }
            entry = Tries(count: entry.count + 1, latest: now)
            return nil
        }
    }

    package func succeeded(_ trier: Trier, at now: TimeInterval) {
        book.withLock { book in
            book.tries[trier] = nil
            if case .unknown(_, let network) = trier { book.count(-1, in: network, at: now) }
        }
    }

    private static func wait(after count: Int) -> TimeInterval {
        guard count >= freeTries else { return 0 }
        return min(longestWait, pow(2, Double(min(count - freeTries + 1, 12))))
    }
}

extension BackOff.Book {
    fileprivate mutating func keep(_ entry: BackOff.Tries, of trier: Trier) {
        if tries.count >= BackOff.most, tries[trier] == nil,
            let oldest = tries.min(by: { $0.value.latest < $1.value.latest })?.key
        {
            tries[oldest] = nil
        }
        tries[trier] = entry
    }

    /// Seconds until a try's turn. A try without a turn gets one, unless that would be too far away.
    fileprivate mutating func wait(
        _ entry: inout BackOff.Tries, in network: String, at now: TimeInterval
    ) -> TimeInterval {
        if networks[network] == nil { networks[network] = newPause(at: now) }
        let next = max(networks[network]!.next(at: now), anywhere.next(at: now))
        let turn = min(entry.turn ?? next, now + BackOff.longestWait)
        if entry.turn == nil && next == turn {
            networks[network]!.take(at: now)
            anywhere.take(at: now)
            entry.turn = turn
        }
        return turn - now
    }

    fileprivate mutating func count(_ tries: Double, in network: String, at now: TimeInterval) {
        networks[network]?.count(tries, at: now)
        anywhere.count(tries, at: now)
    }

    private mutating func newPause(at now: TimeInterval) -> SharedPause {
        if networks.count >= BackOff.most { networks = networks.filter { $0.value.wrong(at: now) >= 1 } }
        if networks.count >= BackOff.most { networks.removeAll() }
        return SharedPause(freeTries: 10)
    }
}

/// The pause between two tries of unknown browsers: one second more for each wrong try beyond the free ones. One wrong
/// try is forgotten each minute.
private struct SharedPause {
    private static let longest: TimeInterval = 60
    private static let forgiving: TimeInterval = 60

    let freeTries: Double
    private var count = 0.0
    private var countedAt: TimeInterval = 0
    private var free: TimeInterval = 0

    init(freeTries: Double) { self.freeTries = freeTries }

    func wrong(at now: TimeInterval) -> Double {
        max(0, count - (now - countedAt) / Self.forgiving)
    }

    mutating func count(_ tries: Double, at now: TimeInterval) {
        (count, countedAt) = (max(0, wrong(at: now) + tries), now)
    }

    /// When the next try may be admitted.
    func next(at now: TimeInterval) -> TimeInterval { max(now, free) }

    mutating func take(at now: TimeInterval) {
        free = next(at: now) + min(Self.longest, max(0, wrong(at: now) - freeTries))
    }
}
