package import Foundation

/// Minutes of use from the bytes of apps that are relayed: no guess, because all of them come by here.
package struct RelayMeter: Sendable {
    /// What a minute of use moves at least, in bytes, both ways together. A connection that is only kept alive moves a
    /// few hundred, an update check or a push a few thousand; a page, a feed or a call many times as much.
    package static let bytesOfUse = 20_000

    private struct Key: Hashable {
        var device: DeviceID
        var app: String
    }

    private var minute = Int.min
    private var bytes: [Key: Int] = [:]

    package init() {}

    /// Bytes that moved just now; tells of the running minute once it is one of use.
    package mutating func note(
        _ moved: Int, of app: String, on device: DeviceID, by person: PersonID, at now: Date
    ) -> UsageChange? {
        let current = Int((now.timeIntervalSince1970 / 60).rounded(.down))
        if current != minute {
            minute = current
            bytes = [:]
        }
        let key = Key(device: device, app: app)
        let before = bytes[key] ?? 0
        bytes[key] = before + moved
        guard before < Self.bytesOfUse, before + moved >= Self.bytesOfUse else { return nil }
        return UsageChange(
            device: device, person: person, app: app, range: current...current,
            minutes: [current...current])
    }
}
