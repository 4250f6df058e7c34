import Foundation
import Synchronization

/// A zone's offsets from UTC. They are remembered, because the same days are asked for every second, and Foundation's
/// answers were a large part of what judging a household cost.
final class ZoneOffsets: Sendable {
    /// No zone changes its offset twice within two of these, in seconds.
    private static let span = 16 * 3_600
    private static let mostSpans = 256

    private let zone: TimeZone
    /// By number of the span since 1970; nil: the offset changes in it.
    private let known = Mutex<[Int: Int?]>([:])

    /// The zones that were asked for lately. Finding a zone is slower than using it.
    private static let found = Mutex<[String: ZoneOffsets]>([:])
    private static let mostZones = 16

    private init(_ zone: TimeZone) { self.zone = zone }

    /// Nil for what is no name of the IANA database.
    static func of(_ identifier: String) -> ZoneOffsets? {
        found.withLock { found in
            if let known = found[identifier] { return known }
            guard ZoneNames.isIANA(identifier), let zone = TimeZone(identifier: identifier) else {
                return nil
            }
            if found.count == mostZones { found.removeAll() }
            let offsets = ZoneOffsets(zone)
            found[identifier] = offsets
            return offsets
        }
    }

    /// Seconds east of UTC, at an instant in seconds since 1970.
    func offset(at seconds: Int) -> Int {
        offset(throughout: seconds.floorDivided(by: Self.span)) ?? read(seconds)
    }

    private func offset(throughout span: Int) -> Int? {
        known.withLock { known in
            if let offset = known[span] { return offset }
            let first = read(span * Self.span)
            let offset = first == read((span + 1) * Self.span - 1) ? first : nil
            if known.count == Self.mostSpans { known.removeAll() }
            known[span] = .some(offset)
            return offset
        }
    }

    private func read(_ seconds: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}

extension Int {
    /// Rounded down, also below 0.
    func floorDivided(by divisor: Int) -> Int { self / divisor - (self % divisor < 0 ? 1 : 0) }
}
