package import Foundation

/// A person's Discipline Dungeon: which apps are productive, and how long they were used yesterday. It only
/// measures and never blocks.
package struct VerifiedMinutes: Hashable, Sendable {
    /// The possible minutes of one day, which has at most 25 hours.
    package static let range = 0...1_500

    /// What "Save selection locally" saved; nil if nothing yet. Shared with no other choice.
    package var productive: AppSelection?
    /// IANA name of the zone whose days count; nil: the household's.
    package var timeZone: String?
    /// Where minutes and the selection are sent; nil: only to this server.
    package var server: VerifiedServer?
    /// The request that the next computation answers, or the latest answered one.
    package var request: ScreenTimeComputationRequest?
    /// Since when the request waits; nil if none waits.
    package var stagedAt: Date?
    package var snapshot: ScreenTimeSnapshot?
    /// When the latest computation began and when the latest one finished.
    package var invokedAt: Date?
    package var completedAt: Date?
    package var upload: UploadResult?
    package var sync: SyncResult?

    package init() {}

    /// Where uploads go, as words: `this server`, or another server's host and path.
    package var destination: String {
        server.map { String($0.base.drop { $0 != "/" }.drop { $0 == "/" }) } ?? "this server"
    }

    /// The zone whose days count.
    package func zone(in household: Household) -> CivilZone {
        timeZone.flatMap { CivilZone($0) } ?? household.zone
    }

    /// What the pages show about yesterday at an instant.
    package func progress(at now: Date, in zone: CivilZone) -> Progress {
        if let stagedAt {
            return now.timeIntervalSince(stagedAt) > Self.patience ? .overdue : .computing
        }
        if isOutdated(in: zone) { return .computing }
        return minutes(at: now, in: zone).map(Progress.done) ?? .nothing
    }

    /// The result for yesterday in a zone. A result for another zone does not count.
    func minutes(at now: Date, in zone: CivilZone) -> ScreenTimeSnapshot? {
        snapshot.flatMap {
            $0.timezone == zone.identifier && $0.date == zone.yesterday(at: now) ? $0 : nil
        }
    }

    /// Whether the result must be computed again, because the zone changed.
    func isOutdated(in zone: CivilZone) -> Bool {
        guard let snapshot, productive?.isEmpty == false else { return false }
        return snapshot.timezone != zone.identifier
    }

    package enum Progress: Hashable, Sendable {
        /// Nothing was computed for yesterday, or only for another day.
        case nothing
        case computing
        /// It takes longer than a computation can take.
        case overdue
        case done(ScreenTimeSnapshot)
    }

    /// How long a computation may take, in seconds; it needs milliseconds.
    package static let patience: TimeInterval = 10
}

/// A request for a computation: a day in the zone of the time of the request.
package struct ScreenTimeComputationRequest: Hashable, Codable, Sendable {
    package var date: CivilDate
    package var timezone: String

    package init(date: CivilDate, timezone: String) {
        self.date = date
        self.timezone = timezone
    }
}

/// A computation's result. It needs a request, so that no "unknown" day can be uploaded.
package struct ScreenTimeSnapshot: Hashable, Codable, Sendable {
    package var date: CivilDate
    package var timezone: String
    /// Truncated, never negative.
    package var verifiedMinutes: Int
    package var computedAt: Date

    package init(date: CivilDate, timezone: String, verifiedMinutes: Int, computedAt: Date) {
        self.date = date
        self.timezone = timezone
        self.verifiedMinutes = verifiedMinutes
        self.computedAt = computedAt
    }
}

/// How the latest upload went, for a page that is opened later.
package struct UploadResult: Hashable, Codable, Sendable {
    package var date: CivilDate
    package var minutes: Int
    package var at: Date
    /// Nil if it failed, or if it was accepted without a readable receipt.
    package var outcome: UploadOutcome?
    /// Why it failed, as a sentence; nil if it was accepted.
    package var failure: String?
    /// Where it went, in the words of `VerifiedMinutes.destination`; nil if that was not stored.
    package var destination: String?

    package init(
        date: CivilDate, minutes: Int, at: Date, outcome: UploadOutcome? = nil, failure: String? = nil,
        destination: String? = nil
    ) {
        self.date = date
        self.minutes = minutes
        self.at = at
        self.outcome = outcome
        self.failure = failure
        self.destination = destination
    }
}

/// How the latest "Sync selection + timezone to backend" went.
package struct SyncResult: Hashable, Codable, Sendable {
    package var at: Date
    package var failure: String?
    /// Like `UploadResult.destination`.
    package var destination: String?

    package init(at: Date, failure: String? = nil, destination: String? = nil) {
        self.at = at
        self.failure = failure
        self.destination = destination
    }
}
