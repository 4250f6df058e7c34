import Pages
import Policy

/// What a picker's form sends: what is ticked, and with it what the page showed as ticked when it came.
///
/// Two pages that are open at the same time undo nothing of each other: only what was ticked and unticked on a page
/// changes what is stored. A program that sends no `was` replaces all.
struct PickedSelection {
    let ticked: AppSelection
    private let was: AppSelection?

    /// `appsOnly`: categories and domains are then fields that the form does not have (C-20).
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
