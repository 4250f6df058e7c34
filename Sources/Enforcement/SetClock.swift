import Foundation
import NIOCore

/// Notices that the wall clock was set: it then moves against the clock that never goes back.
struct SetClock {
    /// By how many seconds the two may drift apart.
    private static let trifle = 0.5

    private var offset: Double?
    /// How often it was set.
    private(set) var count = 0

    /// Whether it was set since the last `note`.
    func isSet(_ now: Date, _ uptime: NIODeadline) -> Bool {
        offset.map { abs($0 - Self.offset(now, uptime)) > Self.trifle } ?? false
    }

    /// Returns by how many seconds it was set since the last call; nil: it was not.
    mutating func note(_ now: Date, _ uptime: NIODeadline) -> Double? {
        let (known, isSet) = (offset, isSet(now, uptime))
        let next = Self.offset(now, uptime)
        offset = next
        guard let known, isSet else { return nil }
        count += 1
        return next - known
    }

    private static func offset(_ now: Date, _ uptime: NIODeadline) -> Double {
        now.timeIntervalSince1970 - uptime.seconds
    }
}

extension NIODeadline {
    /// Seconds of a clock that never goes back.
    var seconds: TimeInterval { Double(uptimeNanoseconds) / 1e9 }
}
