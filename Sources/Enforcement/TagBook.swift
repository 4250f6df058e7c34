import DNS
package import Policy
import Synchronization

/// The meaning of the tags by which DNS counts names.
///
/// A tag keeps its meaning while the server runs, so that a count made under an earlier filter is still understood.
package final class TagBook: Sendable {
    /// An app, and what a name tells about its use.
    package struct Entry: Hashable, Sendable {
        package var app: String
        package var category: String
        package var kind: UsageHit.Kind
    }

    /// An app has one tag for each kind of name, and these follow one another.
    private struct Owner: Hashable {
        var app: String
        var category: String
        /// How many of its names show use.
        var usageNames: Int

        init(_ app: App) {
            self.app = app.id
            category = app.category
            usageNames = app.usageNames.count
        }
    }

    private struct State {
        /// In the order of their first tags. An app that changed is here again.
        var owners: [(first: UInt32, owner: Owner)] = []
        /// Where each app was added last.
        var places: [String: Int] = [:]
        /// The first tag that is free. 0 is no tag.
        var free: UInt32 = 1
        /// The names of the catalog that was asked for last.
        var latest: (apps: [App], names: [CountedName]) = ([], [])
    }

    private let state = Mutex(State())

    package init() {}

    /// Nil for an unknown tag.
    package func entry(of tag: UInt32) -> Entry? {
        state.withLock { state in
            guard tag > 0, tag < state.free else { return nil }
            var (low, high) = (0, state.owners.count - 1)
            while low < high {
                let middle = (low + high + 1) / 2
                if state.owners[middle].first <= tag { low = middle } else { high = middle - 1 }
            }
            let (first, owner) = state.owners[low]
            return Entry(
                app: owner.app, category: owner.category, kind: UsageHit.Kind(number: Int(tag - first)))
        }
    }

    private func firstTag(of app: App) -> UInt32 {
        let owner = Owner(app)
        return state.withLock { state in
            if let place = state.places[app.id], state.owners[place].owner == owner {
                return state.owners[place].first
            }
            let first = state.free
            state.free += UInt32(UsageHit.Kind.foreground(owner.usageNames).number)
            state.places[app.id] = state.owners.count
            state.owners.append((first, owner))
            return first
        }
    }

    /// Makes the names of a catalog before they are asked for, while a start waits for the disk.
    package func prepare(_ catalog: Catalog) { _ = names(in: catalog) }

    /// The names of a catalog with their tags; made again only if its apps changed.
    func names(in catalog: Catalog) -> [CountedName] {
        let latest = state.withLock { $0.latest }
        if latest.apps == catalog.apps { return latest.names }
        let names = madeNames(in: catalog)
        state.withLock { $0.latest = (catalog.apps, names) }
        return names
    }

    /// Every name tells its app and what it says about use. DNS takes the longest suffix, so foreground and service
    /// names are listed beside the suffixes above them.
    private func madeNames(in catalog: Catalog) -> [CountedName] {
        let tags = catalog.apps.map(firstTag)
        func tag(_ place: Int, _ kind: UsageHit.Kind) -> UInt32 { tags[place] + UInt32(kind.number) }
        var names: [CountedName] = []
        for (place, app) in catalog.apps.enumerated() {
            // An own app may have taken a name from a shipped one.
            for name in app.suffixes + app.usageNames + app.service where catalog.place(owning: name) == place
            {
                names.append(CountedName(below: name, tag: tag(place, app.usage(below: name))))
            }
            for page in app.pages {
                guard let owner = catalog.place(owning: page) else { continue }
                names.append(CountedName(page: page, tag: tag(owner, catalog.apps[owner].usage(of: page))))
            }
        }
        return names
    }
}

extension UsageHit.Kind {
    /// Tells an app's kinds of names apart, from 0 on.
    fileprivate var number: Int {
        switch self {
        case .other: 0
        case .page: 1
        case .foreground(let index): index + 2
        }
    }

    fileprivate init(number: Int) {
        switch number {
        case 0: self = .other
        case 1: self = .page
        default: self = .foreground(number - 2)
        }
    }
}
