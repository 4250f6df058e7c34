package import Foundation

/// Minutes of use from the bytes of relayed apps: exact, because all of them pass through here.
package struct RelayMeter: Sendable {
    /// The bytes that make a minute one of use, both directions together. A connection that is only kept alive moves a
    /// few hundred, an update check or a push a few thousand; a page, a feed or a call many times more.
    package static let bytesOfUse = 20_000

    private struct Key: Hashable {
        var device: DeviceID
        var app: String
    }

    private var minute = Int.min
    private var bytes: [Key: Int] = [:]
    /// The runs of minutes of use that may go on: their latest minute, and `UsageChange.lag`.
    private var runs: [Key: (latest: Int, lag: Int)] = [:]

    package init() {}

    /// Notes bytes that moved now; reports the running minute once it is a minute of use.
    package mutating func note(
        _ moved: Int, of app: String, on device: DeviceID, by person: PersonID, at now: Date
    ) -> UsageChange? {
        let current = Int((now.timeIntervalSince1970 / 60).rounded(.down))
        if current != minute {
            minute = current
            bytes = [:]
            runs = runs.filter { $0.value.latest == current - 1 }
        }
        let key = Key(device: device, app: app)
        let before = bytes[key] ?? 0
        bytes[key] = before + moved
        guard before < Self.bytesOfUse, before + moved >= Self.bytesOfUse else { return nil }
        let lag = runs[key]?.lag ?? now.second - current * 60
        runs[key] = (current, lag)
        return UsageChange(
            device: device, person: person, app: app, range: current...current,
            minutes: [current...current], lag: lag)
    }
}
