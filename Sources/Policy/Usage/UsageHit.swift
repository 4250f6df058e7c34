package import Foundation

/// Somebody's device asked for a name of an app.
package struct UsageHit: Hashable, Sendable {
    /// What the name says about the person.
    package enum Kind: Hashable, Sendable {
        /// One of the app's foreground names, by its place in `App.foreground`: they speak of use.
        case foreground(Int)
        /// A page host that is no foreground name: somebody wants to go there, but no app in use asks for it.
        case page
        /// Push, analytics, updates, and whatever else lies below the app's suffixes.
        case other
    }

    package var device: DeviceID
    package var person: PersonID
    package var app: String
    /// The app's category, which tells how long a pause may be.
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

/// The numbers behind "a minute of use" (A-03; design.md, Usage minutes), in seconds unless said otherwise.
package enum UsageRule {
    /// Two lookups within this time open a run.
    static let opening = 180
    /// Lookups of one name closer than this are one: both address types of one connection, and its retries.
    static let echo = 15
    /// A pause of this length, or less, is filled when the next lookup arrives.
    static let pause = 300
    /// The same for video, whose player asks rarely.
    static let videoPause = 600
    /// A name that is in use is asked for again when its answer has run out, 60 s at the most, and a request is made:
    /// closer than this, lookups are one stretch of use and tell nothing of a beat.
    static let stretch = 125
    /// A stretch that is no longer than this may be a background refresh.
    static let brief = 60
    /// So many brief stretches at a regular beat are a background timer.
    static let beats = 4
    /// The largest variation of a regular beat's intervals: their standard deviation over their mean.
    static let variation = 0.2

    /// The same for lookups that are close enough to hold a run: so many, and that variation.
    static let polls = 6
    static let pollVariation = 0.1

    package static func pause(in category: String) -> Int {
        category == "video" || category == "short-video" ? videoPause : pause
    }
}
