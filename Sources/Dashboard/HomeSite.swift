package import Directory
import Foundation
import Hummingbird
package import NIOCore
package import Pages
package import Policy
package import Store

/// The household's pages, forms, events and API, for its own Hosts. The executable injects everything that it needs.
package struct HomeSite: Sendable {
    package struct Configuration: Sendable {
        /// As they are now: a network can give the machine another name.
        package var ownNames: @Sendable () -> OwnNames
        /// The reverse proxies that this server believes about the clients for whom they ask.
        package var proxies: ReverseProxies
        /// The address that people type, for example `http://sleep.home.arpa`.
        package var address: String
        package var version: String
        package var viewers: Viewers.Limits
        /// The event loop whose thread executes `run`; nil: another thread does.
        package var loop: (any EventLoop)?

        package init(
            ownNames: @escaping @autoclosure @Sendable () -> OwnNames,
            proxies: ReverseProxies = ReverseProxies(), address: String, version: String,
            viewers: Viewers.Limits = Viewers.Limits(), loop: (any EventLoop)? = nil
        ) {
            self.ownNames = ownNames
            self.proxies = proxies
            self.address = address
            self.version = version
            self.viewers = viewers
            self.loop = loop
        }
    }

    /// The paths that must always answer: the front door reserves places for them.
    package static let waysOut: Set = ["/help", "/settings/reset", "/api/v1/reset"]

    package let feed: LiveFeed
    /// Where Enforcement's rounds put what live checks left with DNS.
    package let checks: CheckBook
    let clock: WallClock
    private let desk: Desk
    /// Hundreds of addresses, which take a while: DNS does not wait for them at a start.
    let served: Once<Served>
    let proxies: ReverseProxies
    /// The holder at an address, whose turn a request uses.
    let holder: @Sendable (String) -> Holder
    private let routes: @Sendable () -> Routes

    /// What is served.
    struct Served: Sendable {
        let router: RouterResponder<Visit>
        let invitations: PhoneInvitations
    }

    /// Every address with its method, as `/path/{id} GET`, to compare descriptions with it.
    package var operations: [String] { routes().operations }
    /// The keys in the QR codes, which no page shows as text.
    var invitations: PhoneInvitations { served.value.invitations }

    package init(
        store: HouseholdStore, clock: WallClock, catalog: Catalog, renderer: PageRenderer,
        configuration: Configuration, surroundings: Surroundings
    ) {
        self.clock = clock
        let now = clock.now()
        var household = store.household
        _ = household.settle(at: now, newID: UUID.init)
        let first = Snapshot(
            revision: 0, instant: now, household: household, catalog: catalog.adding(household.ownApps),
            verdicts: household.evaluate(at: now))
        feed = LiveFeed(
            clock: clock, viewers: Viewers(limits: configuration.viewers, home: configuration.loop),
            first: first, lastFocus: store.latestFocusSession)
        desk = Desk(
            store: store, clock: clock, catalog: catalog, renderer: renderer, configuration: configuration,
            feed: feed, uptime: surroundings.uptime)
        proxies = configuration.proxies
        holder = surroundings.network.holder(at:)
        checks = CheckBook(uptime: surroundings.uptime)
        let routes = { @Sendable [checks, desk] in Routes(desk, surroundings, checks: checks) }
        self.routes = routes
        served = Once {
            let routes = routes()
            let router = routes.router().buildResponder()
            routes.site.open(router)
            return Served(router: router, invitations: routes.invitations)
        }
    }

    /// Takes Enforcement's snapshot after every change.
    package func publish(_ snapshot: Snapshot) { feed.publish(snapshot) }

    /// Sends ticks and comments to all open pages until the task is cancelled; then ends all streams.
    package func run() async {
        _ = served.value
        await feed.run()
    }
}
