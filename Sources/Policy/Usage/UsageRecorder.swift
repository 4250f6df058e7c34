import Foundation

/// Turns lookups into minutes of use and into attempts, for every app on every device.
package struct UsageRecorder: Sendable {
    /// What a lookup changes.
    package enum Outcome: Hashable, Sendable {
        case nothing
        case use(UsageChange)
        /// Somebody reached for what is blocked; once a minute per device and app at most.
        case attempt
    }

    private struct Key: Hashable {
        var device: DeviceID
        var app: String
    }

    private struct Entry {
        var track: UseTrack
        /// What was told of it last.
        var minutes: [ClosedRange<Int>] = []
    }

    /// A bound on memory: apps in use on devices. Those not heard of for longest go first.
    static let capacity = 4_096

    private var entries: [Key: Entry] = [:]
    /// The minute of the latest attempt.
    private var attempts: [Key: Int] = [:]

    package init() {}

    /// Takes up a run that was going on before a restart; `lastMinute` since 1970 is the last that was counted.
    package mutating func resume(
        device: DeviceID, person: PersonID, app: String, category: String, lastMinute: Int
    ) {
        makeRoom()
        entries[Key(device: device, app: app)] = Entry(
            track: UseTrack(
                person: person, pause: UsageRule.pause(in: category), openUntil: lastMinute * 60))
    }

    /// Use is what foreground names say of somebody whom nothing blocks; what is blocked is never use.
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
        // A device that changed hands, a clock that was set back: what was counted stays, counting begins anew.
        if let track = entry?.track,
            track.person != hit.person || hit.instant.second < track.newest - UsageRule.echo
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
        // What was counted before `first` is not to be touched any more.
        let known = now.minutes.compactMap { $0.from(first) }
        now.minutes = minutes
        entries[key] = now
        let spoken = known + minutes
        guard minutes != known, let start = spoken.map(\.lowerBound).min(),
            let end = spoken.map(\.upperBound).max()
        else { return .nothing }
        return .use(
            UsageChange(
                device: hit.device, person: hit.person, app: hit.app, range: start...end, minutes: minutes))
    }

    /// Forgets the half that was not heard of for longest, when there are too many.
    private mutating func makeRoom() {
        guard entries.count >= Self.capacity else { return }
        let newest = entries.values.map(\.track.newest).sorted()[entries.count / 2]
        entries = entries.filter { $0.value.track.newest > newest }
    }
}

/// The minutes of one app on one device in a stretch of time, in place of those known before.
package struct UsageChange: Hashable, Sendable {
    package var device: DeviceID
    package var person: PersonID
    package var app: String
    /// The minutes since 1970 that this speaks of.
    package var range: ClosedRange<Int>
    /// Those of them that are use, in order, without overlaps.
    package var minutes: [ClosedRange<Int>]

    package init(
        device: DeviceID, person: PersonID, app: String, range: ClosedRange<Int>, minutes: [ClosedRange<Int>]
    ) {
        self.device = device
        self.person = person
        self.app = app
        self.range = range
        self.minutes = minutes
    }
}

extension ClosedRange<Int> {
    /// The part from `bound` on.
    fileprivate func from(_ bound: Int) -> ClosedRange<Int>? {
        upperBound < bound ? nil : Swift.max(lowerBound, bound)...upperBound
    }
}

extension Date {
    /// The second since 1970 that has begun.
    var second: Int { Int(min(max(timeIntervalSince1970, -62_135_500_000), 253_402_200_000).rounded(.down)) }
}
