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

    private struct State {
        var entries: [Entry] = []
        var tags: [Entry: UInt32] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Nil for an unknown tag.
    package func entry(of tag: UInt32) -> Entry? {
        state.withLock { tag > 0 && tag <= $0.entries.count ? $0.entries[Int(tag) - 1] : nil }
    }

    private func tag(of app: App, _ kind: UsageHit.Kind) -> UInt32 {
        let entry = Entry(app: app.id, category: app.category, kind: kind)
        return state.withLock { state in
            if let known = state.tags[entry] { return known }
            state.entries.append(entry)
            let tag = UInt32(state.entries.count)
            state.tags[entry] = tag
            return tag
        }
    }

    /// The names of a catalog by tag. Every name tells its app and what it says about use. DNS takes the longest
    /// suffix, so foreground and service names are listed beside the suffixes above them.
    func names(in catalog: Catalog) -> [AppNames] {
        /// By tag, from tag 1 on.
        var names: [AppNames] = []
        func add(_ tag: UInt32, _ body: (inout AppNames) -> Void) {
            while names.count < tag { names.append(AppNames(tag: UInt32(names.count + 1), suffixes: [])) }
            body(&names[Int(tag) - 1])
        }
        for (place, app) in catalog.apps.enumerated() {
            // An app has many names and few kinds of them.
            var tags: [(kind: UsageHit.Kind, tag: UInt32)] = []
            func tag(_ kind: UsageHit.Kind) -> UInt32 {
                if let known = tags.first(where: { $0.kind == kind }) { return known.tag }
                tags.append((kind, self.tag(of: app, kind)))
                return tags[tags.count - 1].tag
            }
            // An own app may have taken a name from a shipped one.
            for name in app.suffixes + app.usageNames + app.service where catalog.place(owning: name) == place
            {
                add(tag(app.usage(below: name))) { $0.suffixes.append(name) }
            }
            for page in app.pages {
                guard let owner = catalog.place(owning: page) else { continue }
                let other = catalog.apps[owner]
                add(owner == place ? tag(app.usage(of: page)) : self.tag(of: other, other.usage(of: page))) {
                    $0.pages.append(page)
                }
            }
        }
        return names.filter { !$0.suffixes.isEmpty || !$0.pages.isEmpty }
    }
}
