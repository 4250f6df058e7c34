import Pages
import Policy

/// A picker's form: the ticked items, and the items that were ticked when the page was loaded.
///
/// Two open pages undo nothing of each other: only items that were ticked or unticked on a page change the stored
/// selection. A program that sends no `was` replaces everything.
struct PickedSelection {
    let ticked: AppSelection
    private let was: AppSelection?

    /// With `appsOnly` the form has no categories and domains (C-20).
    init(_ reading: inout FormReading, appsOnly: Bool = false) {
        func chosen(_ name: String) -> Set<String> {
            Set(reading.many(name).filter { !$0.allSatisfy(\.isWhitespace) })
        }
        ticked = AppSelection(
            apps: chosen("app"), categories: appsOnly ? [] : chosen("category"),
            domains: appsOnly ? [] : chosen("domain"))
        was = reading.optional("was").flatMap { text in
            let selection = AppSelection(tickedText: text)
            if selection == nil { reading.refuse("", "This page is out of date. Load it again.") }
            return selection
        }
    }

    func applied(to stored: AppSelection) -> AppSelection {
        guard let was else { return ticked }
        func merged(_ path: KeyPath<AppSelection, Set<String>>) -> Set<String> {
            let unticked = was[keyPath: path].subtracting(ticked[keyPath: path])
            let added = ticked[keyPath: path].subtracting(was[keyPath: path])
            return stored[keyPath: path].subtracting(unticked).union(added)
        }
        return AppSelection(
            apps: merged(\.apps), categories: merged(\.categories), domains: merged(\.domains))
    }
}
