extension Site {
    /// One of the five places, as the bar shows it.
    struct PlaceLink {
        let href: String
        let name: String
        let icon: String
        let isCurrent: Bool
        /// Requests that wait for an answer; nil if there are none.
        let waiting: Waiting?
    }

    /// `2 requests`
    struct Waiting {
        let number: Int
        let unit: String

        init?(_ number: Int) {
            guard number > 0 else { return nil }
            self.number = number
            unit = number == 1 ? "request" : "requests"
        }
    }

    /// A link to another page, with its person.
    struct PageLink {
        let href: String
        let name: String
    }

    /// The bar's links; none before logging in, and none on pages that stand apart.
    static func places(_ context: PageContext, query: String) -> [PlaceLink] {
        let spot = Place.spot(of: context.path)
        guard context.csrf != nil, spot == nil || spot?.place != nil else { return [] }
        return Place.allCases.map { place in
            PlaceLink(
                href: place.path + query, name: place.name, icon: place.icon,
                isCurrent: spot?.place == place,
                waiting: place == .household ? Waiting(context.questions.count) : nil)
        }
    }

    /// One step up. Without the bar, the start. From set-up, back there: only its bedtime leads away.
    static func back(_ context: PageContext, query: String, hasPlaces: Bool) -> PageLink? {
        if context.isFromSetup { return PageLink(href: "/setup/bedtime" + query, name: "Back to set-up") }
        guard hasPlaces, Place.spot(of: context.path) != nil else {
            return PageLink(href: "/" + query, name: "Sleep Inducer")
        }
        return Place.above(context.path).map { PageLink(href: $0.path + query, name: $0.name) }
    }

    /// The other pages of a place whose own page is not a list of them.
    static func further(_ context: PageContext, query: String) -> [PageLink] {
        guard context.csrf != nil, let place = Place.spot(of: context.path)?.place,
            Place.above(context.path) == nil
        else { return [] }
        return (others[place] ?? []).map { PageLink(href: $0.path + query, name: $0.name) }
    }

    private static let others: [Place: [(path: String, name: String)]] = [
        .usage: [
            ("/focus", "Focus"), ("/focus/history", "Focus history"),
            ("/verified/yesterday", "Verified Minutes"),
        ],
        .household: [("/devices", "Devices"), ("/settings/people", "People")],
    ]
}
