import Foundation
import Synchronization

/// The machine's clock, or that of the household's other machines where nobody sets this machine's right.
///
/// A small machine has no battery, and without NTP its clock can be wrong by hours. It would then begin and end the nights
/// of the whole household at its own hours. So it takes the time of a machine whose clock is synchronised.
final class BorrowedTime: Sendable {
    /// By how many seconds two clocks may differ.
    private static let tolerance: TimeInterval = 2

    private let ownReading: @Sendable () -> (clock: Date, uptime: TimeInterval)
    private let isOwnSynchronised: @Sendable () -> Bool
    /// When this machine's uptime was 0 by the others' clock, and by what was heard last; nil: none told its time.
    private let start = Mutex<(believed: TimeInterval, heard: TimeInterval)?>(nil)

    init(
        reading: @escaping @Sendable () -> (clock: Date, uptime: TimeInterval) = MachineClock.reading,
        isSynchronised: @escaping @Sendable () -> Bool
    ) {
        ownReading = reading
        isOwnSynchronised = isSynchronised
    }

    /// The first word counts at once. Another time counts when two words in a row agree on it by this machine's uptime: a
    /// record that is old, because it was held up or comes from a machine that is gone, agrees with no other.
    ///
    /// - Parameter instant: what a synchronised clock of another machine showed when it said so.
    func hear(_ instant: Date) {
        let heard = instant.timeIntervalSince1970 - ownReading().uptime
        start.withLock { start in
            let agrees = start.map { abs($0.heard - heard) <= Self.tolerance } ?? true
            start = (agrees ? heard : start?.believed ?? heard, heard)
        }
    }

    /// The believed clock, and the seconds since the machine was started.
    var reading: (clock: Date, uptime: TimeInterval) {
        let own = ownReading()
        return borrowed(own).map { ($0, own.uptime) } ?? own
    }

    /// Whether the believed clock is synchronised, this machine's or another's.
    var isSynchronised: Bool { isOwnSynchronised() || borrowed(ownReading()) != nil }

    private func borrowed(_ own: (clock: Date, uptime: TimeInterval)) -> Date? {
        guard let start = start.withLock({ $0?.believed }), !isOwnSynchronised() else { return nil }
        let told = Date(timeIntervalSince1970: start + own.uptime)
        return abs(told.timeIntervalSince(own.clock)) > Self.tolerance ? told : nil
    }
}
