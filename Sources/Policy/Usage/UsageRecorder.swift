import Foundation

/// Turns lookups into minutes of use and into attempts, for every app on every device.
package struct UsageRecorder: Sendable {
    /// What a lookup changes.
    package enum Outcome: Hashable, Sendable {
        case nothing
        case use(UsageChange)
        /// A person tried to open a blocked app; at most once a minute for each device and app.
        case attempt
    }

    private struct Key: Hashable {
        var device: DeviceID
        var app: String
    }

    private struct Entry {
        var track: UseTrack
        /// The minutes that were last reported.
        var minutes: [ClosedRange<Int>] = []
    }

    /// A bound on memory: apps in use on devices. Those with the oldest lookups go first.
    static let capacity = 4_096

    private var entries: [Key: Entry] = [:]
    /// The minute of the latest attempt.
    private var attempts: [Key: Int] = [:]

    package init() {}

    /// Continues a run from before a restart; `lastMinute` since 1970 is the last one counted.
    package mutating func resume(
        device: DeviceID, person: PersonID, app: String, category: String, lastMinute: Int
    ) {
        makeRoom()
        entries[Key(device: device, app: app)] = Entry(
            track: UseTrack(
                person: person, pause: UsageRule.pause(in: category), openUntil: lastMinute * 60))
    }

    /// Use comes from foreground names of a person whom nothing blocks; blocked lookups are never use.
    package mutating func note(_ hit: UsageHit) -> Outcome {
        let key = Key(device: hit.device, app: hit.app)
        switch hit.kind {
        case .other: return .nothing
        case .page, .foreground:
            if hit.isBlocked {
                entries[key]?.track.refuse(at: hit.instant.second)
                return attempt(key, at: hit.instant.second.minute)
            }
        }
        guard case .foreground(let name) = hit.kind else { return .nothing }
        return use(key, hit, name)
    }

    private mutating func attempt(_ key: Key, at minute: Int) -> Outcome {
        guard attempts[key] != minute else { return .nothing }
        if attempts.count >= Self.capacity { attempts = attempts.filter { $0.value == minute } }
        attempts[key] = minute
        return .attempt
    }

    private mutating func use(_ key: Key, _ hit: UsageHit, _ name: Int) -> Outcome {
        var entry = entries.removeValue(forKey: key)
        // After a change of owner or a clock set back, counted minutes stay and counting begins anew.
        if let track = entry?.track,
            track.person != hit.person || hit.instant.second < track.newest - UsageRule.lateness
        {
            entry = nil
        }
        if entry == nil { makeRoom() }
        var now =
            entry
            ?? Entry(
                track: UseTrack(person: hit.person, pause: UsageRule.pause(in: hit.category)))
        guard now.track.note(name: name, at: hit.instant.second) else {
            entries[key] = now
            return .nothing
        }
        let minutes = now.track.minutes
        let first = now.track.firstMinute
        // Minutes before `first` are final.
        let known = now.minutes.compactMap { $0.from(first) }
        now.minutes = minutes
        entries[key] = now
        let spoken = known + minutes
        guard minutes != known, let start = spoken.map(\.lowerBound).min(),
            let end = spoken.map(\.upperBound).max()
        else { return .nothing }
        return .use(
            UsageChange(
                device: hit.device, person: hit.person, app: hit.app, range: start...end, minutes: minutes,
                lag: now.track.lag))
    }

    /// If there are too many, forgets the half with the oldest lookups.
    private mutating func makeRoom() {
        guard entries.count >= Self.capacity else { return }
        let newest = entries.values.map(\.track.newest).sorted()[entries.count / 2]
        entries = entries.filter { $0.value.track.newest > newest }
    }
}

/// The minutes of one app on one device in a range; they replace those known before.
package struct UsageChange: Hashable, Sendable {
    package var device: DeviceID
    package var person: PersonID
    package var app: String
    /// The minutes since 1970 that this covers.
    package var range: ClosedRange<Int>
    /// The minutes of use among them, in order, without overlaps.
    package var minutes: [ClosedRange<Int>]
    /// How many seconds after the beginning of its first minute the newest run of use began, 0 to 59. One second is none:
    /// counts come up to a second late.
    package var lag: Int

    package init(
        device: DeviceID, person: PersonID, app: String, range: ClosedRange<Int>, minutes: [ClosedRange<Int>],
        lag: Int = 0
    ) {
        self.device = device
        self.person = person
        self.app = app
        self.range = range
        self.minutes = minutes
        self.lag = lag > 1 ? lag : 0
    }
}

extension ClosedRange<Int> {
    /// The part from `bound` on.
    fileprivate func from(_ bound: Int) -> ClosedRange<Int>? {
        upperBound < bound ? nil : Swift.max(lowerBound, bound)...upperBound
    }
}

extension Date {
    /// Whole seconds since 1970.
    var second: Int { Int(min(max(timeIntervalSince1970, -62_135_500_000), 253_402_200_000).rounded(.down)) }
}
