package import Foundation

/// A person's Discipline Dungeon: which apps are productive, and how long they were used yesterday (DD-001). It measures
/// and never blocks anything.
package struct VerifiedMinutes: Hashable, Sendable {
    /// What can be said of one day, which has 25 hours at most (DD-050).
    package static let range = 0...1_500

    /// What was saved with "Save selection locally" (DD-022); nil: nothing was yet. Shared with no other choice (C-01).
    package var productive: AppSelection?
    /// IANA name of the zone whose days count (DD-020); nil: the household's.
    package var timeZone: String?
    /// Where minutes and the selection are sent; nil: nowhere but to this server itself (C-06).
    package var server: VerifiedServer?
    /// The request that the next computation answers, or the latest answered (DD-031).
    package var request: ScreenTimeComputationRequest?
    /// Since when the request waits to be answered; nil: none does.
    package var stagedAt: Date?
    package var snapshot: ScreenTimeSnapshot?
    /// When the latest computation began and when one was done (DD-007, DD-013, C-30).
    package var invokedAt: Date?
    package var completedAt: Date?
    package var upload: UploadResult?
    package var sync: SyncResult?

    package init() {}

    /// Where uploads go, in a sentence: `this server`, or another's host and path.
    package var destination: String {
        server.map { String($0.base.drop { $0 != "/" }.drop { $0 == "/" }) } ?? "this server"
    }

    /// Whose days count.
    package func zone(in household: Household) -> CivilZone {
        timeZone.flatMap { CivilZone($0) } ?? household.zone
    }

    /// What the pages show of "yesterday" at an instant.
    package func progress(at now: Date, in zone: CivilZone) -> Progress {
        if let stagedAt {
            return now.timeIntervalSince(stagedAt) > Self.patience ? .overdue : .computing
        }
        if isOutdated(in: zone) { return .computing }
        return minutes(at: now, in: zone).map(Progress.done) ?? .nothing
    }

    /// What was found for the day that is yesterday in a zone, and in that zone: of another one it says nothing (DD-071).
    func minutes(at now: Date, in zone: CivilZone) -> ScreenTimeSnapshot? {
        snapshot.flatMap {
            $0.timezone == zone.identifier && $0.date == zone.yesterday(at: now) ? $0 : nil
        }
    }

    /// Whether what was found is to be found anew, because another zone holds now.
    func isOutdated(in zone: CivilZone) -> Bool {
        guard let snapshot, productive?.isEmpty == false else { return false }
        return snapshot.timezone != zone.identifier
    }

    package enum Progress: Hashable, Sendable {
        /// Nothing was computed for yesterday, or for another day only (DD-032).
        case nothing
        case computing
        /// Longer than it can take (DD-067).
        case overdue
        case done(ScreenTimeSnapshot)
    }

    /// How long a computation can take, in seconds; it is a matter of milliseconds.
    package static let patience: TimeInterval = 10
}

/// What the computation is asked for: a day, in the zone that held when it was asked (DD-040, DD-071).
package struct ScreenTimeComputationRequest: Hashable, Codable, Sendable {
    package var date: CivilDate
    package var timezone: String

    package init(date: CivilDate, timezone: String) {
        self.date = date
        self.timezone = timezone
    }
}

/// What it found (DD-041). There is none without a request, so that no "unknown" day can be uploaded (DD-011).
package struct ScreenTimeSnapshot: Hashable, Codable, Sendable {
    package var date: CivilDate
    package var timezone: String
    /// Truncated, never negative (DD-009).
    package var verifiedMinutes: Int
    package var computedAt: Date

    package init(date: CivilDate, timezone: String, verifiedMinutes: Int, computedAt: Date) {
        self.date = date
        self.timezone = timezone
        self.verifiedMinutes = verifiedMinutes
        self.computedAt = computedAt
    }
}

/// How the latest upload went, for the page that is opened after it (DD-030).
package struct UploadResult: Hashable, Codable, Sendable {
    package var date: CivilDate
    package var minutes: Int
    package var at: Date
    /// Nil where it failed, and where it was taken without a receipt that can be read.
    package var outcome: UploadOutcome?
    /// Why it failed, in a sentence; nil: it was taken.
    package var failure: String?
    /// Where it went, in the words of `VerifiedMinutes.destination`; nil: that was not kept then.
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
    /// As `UploadResult.destination`.
    package var destination: String?

    package init(at: Date, failure: String? = nil, destination: String? = nil) {
        self.at = at
        self.failure = failure
        self.destination = destination
    }
}
