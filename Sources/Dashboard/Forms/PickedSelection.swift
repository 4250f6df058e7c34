import Pages
import Policy

/// A picker's form: the ticked items, and the items that the page showed as ticked.
///
/// What a page does not show stays: only items that were ticked or unticked on a page change the stored selection. A
/// program that does not say what was shown replaces everything.
struct PickedSelection {
    let ticked: AppSelection
    /// What of the picker was open, so that the next page shows the same.
    let view: PickerView
    private let was: AppSelection?

    /// With `appsOnly` the form has no categories and domains.
    init(_ reading: inout FormReading, appsOnly: Bool = false) {
        func chosen(_ name: String) -> Set<String> {
            Set(reading.many(name).filter { !$0.allSatisfy(\.isWhitespace) })
        }
        ticked = AppSelection(
            apps: chosen("app"), categories: appsOnly ? [] : chosen("category"),
            domains: appsOnly ? [] : chosen("domain"))
        view = PickerView(open: reading.optional("open"), find: reading.optional("find"))
        was = reading.fields.first(ShownFields.field).flatMap { text in
            guard let shown = ShownFields(text) else {
                reading.refuse("", "This page is out of date. Load it again.")
                return nil
            }
            func ticked(_ name: String) -> Set<String> {
                Set(shown.pairs.filter { $0.name == name && !$0.value.isEmpty }.map(\.value))
            }
            return AppSelection(
                apps: ticked("app"), categories: ticked("category"), domains: ticked("domain"))
        }
    }

    /// Whether a page sent it, and not a program.
    var isFromPage: Bool { was != nil }

    /// `catalog` has the household's own apps.
    func applied(to stored: AppSelection, catalog: Catalog) -> AppSelection {
        was.map { stored.ticked(from: $0, to: ticked, catalog: catalog) } ?? ticked
    }
}
