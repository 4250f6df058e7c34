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

    /// Whose days count.
    package func zone(in household: Household) -> CivilZone {
        timeZone.flatMap { CivilZone($0) } ?? household.zone
    }

    /// What the pages show of "yesterday" at an instant.
    package func progress(at now: Date, in zone: CivilZone) -> Progress {
        if let stagedAt {
            return now.timeIntervalSince(stagedAt) > Self.patience ? .overdue : .computing
        }
        guard let snapshot, snapshot.date == zone.yesterday(at: now) else { return .nothing }
        return .done(snapshot)
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
    /// Nil where it failed.
    package var outcome: UploadOutcome?
    /// Why it failed, in a sentence.
    package var failure: String?

    package init(
        date: CivilDate, minutes: Int, at: Date, outcome: UploadOutcome? = nil, failure: String? = nil
    ) {
        self.date = date
        self.minutes = minutes
        self.at = at
        self.outcome = outcome
        self.failure = failure
    }
}

/// How the latest "Sync selection + timezone to backend" went.
package struct SyncResult: Hashable, Codable, Sendable {
    package var at: Date
    package var failure: String?

    package init(at: Date, failure: String? = nil) {
        self.at = at
        self.failure = failure
    }
}
