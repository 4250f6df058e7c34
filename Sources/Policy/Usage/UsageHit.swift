package import Foundation

/// A device asked for a name of an app.
package struct UsageHit: Hashable, Codable, Sendable {
    /// What the name tells about use.
    package enum Kind: Hashable, Codable, Sendable {
        /// A foreground name, by its index in `App.foreground`: it shows use.
        case foreground(Int)
        /// A page host but no foreground name: a person wants to go there, but the app in use does not ask for it.
        case page
        /// Push, analytics, updates, and everything else below the app's suffixes.
        case other
    }

    package var device: DeviceID
    package var person: PersonID
    package var app: String
    /// The app's category, which sets how long a pause may be.
    package var category: String
    package var kind: Kind
    package var isBlocked: Bool
    package var instant: Date

    package init(
        device: DeviceID, person: PersonID, app: String, category: String, kind: Kind, isBlocked: Bool,
        instant: Date
    ) {
        self.device = device
        self.person = person
        self.app = app
        self.category = category
        self.kind = kind
        self.isBlocked = isBlocked
        self.instant = instant
    }
}

/// The numbers behind "a minute of use" (design.md, Usage minutes), in seconds unless said otherwise.
package enum UsageRule {
    /// Two lookups within this time open a run.
    static let opening = 180
    /// Lookups of one name closer than this count once: both address types of a connection, and its retries.
    static let echo = 15
    /// A lookup that is older than the newest by more was made by a clock that was set back. Other machines tell of theirs
    /// up to half a minute later.
    static let lateness = 45
    /// A pause up to this length is filled when the next lookup arrives.
    static let pause = 300
    /// The same for video, because a player rarely asks.
    static let videoPause = 600
    /// A name in use is looked up again when its answer expires, after 60 s at most, and a request is made. Lookups
    /// closer than this are one stretch of use and show nothing of a beat.
    static let stretch = 125
    /// A stretch up to this length may be a background refresh.
    static let brief = 60
    /// This many brief stretches at a regular beat are a background timer.
    static let beats = 4
    /// The most that a regular beat's intervals may vary: standard deviation divided by mean.
    static let variation = 0.2

    /// The same for lookups close enough to continue a run: this many, with that variation.
    static let polls = 6
    static let pollVariation = 0.1

    /// After this time minutes are told to other machines: a poll is proved by then, and its minutes were taken back.
    package static let settling = polls * pause

    package static func pause(in category: String) -> Int {
        category == "video" || category == "short-video" ? videoPause : pause
    }
}
