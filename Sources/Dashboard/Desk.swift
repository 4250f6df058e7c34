import Pages
import Policy
import Store

/// What every feature stands on: the household at an instant, a command that changes it, and a page that shows it.
struct Desk: Sendable {
    let store: HouseholdStore
    let clock: WallClock
    /// As shipped; the household's own apps come on top.
    let catalog: Catalog
    let renderer: PageRenderer
    let configuration: HomeSite.Configuration
    /// The latest snapshot, and everybody who watches.
    let feed: LiveFeed
    /// Seconds of a clock that never goes back, for pauses.
    let uptime: @Sendable () -> Double
}
