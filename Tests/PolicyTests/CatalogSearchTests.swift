import Testing

@testable import Policy

@Suite struct CatalogSearchTests {
    private let catalog = Catalog(
        categories: [
            Category(id: "maps", name: "Maps"), Category(id: "social", name: "Social"),
            Category(id: "video", name: "Video"),
        ],
        apps: [
            App(id: "z", name: "Zest", category: "video", suffixes: ["instazest.com"]),
            App(id: "cart", name: "Superinstacart", category: "video", suffixes: ["cart.com"]),
            App(id: "here", name: "Here insta", category: "maps", suffixes: ["here.com"]),
            App(id: "instagram", name: "Instagram", category: "social", suffixes: ["instagram.com"]),
            App(id: "gmaps", name: "Google Maps", category: "maps", suffixes: ["maps.example"]),
            App(id: "video", name: "Old Video", category: "social", suffixes: ["old.example"]),
        ], alwaysReachable: [])

    @Test(
        "Names come before categories, and those before domains",
        arguments: [
            ("insta", ["instagram", "here", "cart", "z"]), ("INSTA", ["instagram", "here", "cart", "z"]),
            ("maps", ["gmaps", "here"]), ("google maps", ["gmaps"]), ("video", ["video", "cart", "z"]),
            ("here.com", ["here"]), ("insta zest", ["z"]), ("nothing", []), ("", []), ("  ", []),
        ])
    func ranks(_ text: String, _ ids: [String]) {
        #expect(catalog.search(text).apps.map(\.id) == ids)
    }

    @Test("Of equals, those for which people come lead")
    func prefers() {
        let two = Catalog(
            categories: [Category(id: "food", name: "Food"), Category(id: "social", name: "Social")],
            apps: [
                App(id: "instacart", name: "Instacart", category: "food", suffixes: []),
                App(id: "instagram", name: "Instagram", category: "social", suffixes: []),
            ], alwaysReachable: [])
        #expect(two.search("insta").apps.map(\.id) == ["instacart", "instagram"])
        #expect(two.search("insta", first: ["social"]).apps.map(\.id) == ["instagram", "instacart"])
    }

    @Test func findsCategoriesByName() {
        #expect(catalog.search("vid").categories.map(\.id) == ["video"])
        #expect(catalog.search("").categories.isEmpty)
    }
}

/// What a page's ticks do to a stored selection.
@Suite struct TickedSelectionTests {
    private let catalog = Catalog(
        categories: [Category(id: "social", name: "Social"), Category(id: "video", name: "Video")],
        apps: ["a", "b", "c"].map { App(id: $0, name: $0, category: "social", suffixes: []) }
            + [App(id: "v", name: "v", category: "video", suffixes: [])], alwaysReachable: [])

    private func after(
        _ stored: AppSelection, showing was: AppSelection, ticking ticked: AppSelection
    ) -> AppSelection {
        stored.ticked(from: was, to: ticked, catalog: catalog)
    }

    @Test("Unticking one app of a whole category leaves its others, one by one")
    func oneOfAWhole() {
        let stored = AppSelection(apps: ["v"], categories: ["social"])
        let shown = AppSelection(apps: ["a", "b", "c"], categories: ["social"])
        let ticked = AppSelection(apps: ["a", "c"], categories: ["social"])
        #expect(after(stored, showing: shown, ticking: ticked) == AppSelection(apps: ["a", "c", "v"]))
    }

    @Test("Unticking a category takes the apps with it that were ticked by it alone")
    func theWhole() {
        let stored = AppSelection(apps: ["b"], categories: ["social"])
        let shown = AppSelection(apps: ["a", "b", "c"], categories: ["social"])
        let ticked = AppSelection(apps: ["a", "b", "c"])
        #expect(after(stored, showing: shown, ticking: ticked) == AppSelection(apps: ["b"]))
    }

    @Test("What a page does not show stays, and so does what another page changed")
    func others() {
        let stored = AppSelection(apps: ["v"], categories: ["social"], domains: ["x.example"])
        let new = after(stored, showing: AppSelection(), ticking: AppSelection(apps: ["a"]))
        #expect(new == AppSelection(apps: ["a", "v"], categories: ["social"], domains: ["x.example"]))
    }

    @Test("Undo is the way back, whatever was changed, and keeps what changed elsewhere")
    func undo() {
        let sides: [AppSelection] = [
            AppSelection(), AppSelection(apps: ["a"]), AppSelection(categories: ["social"]),
            AppSelection(apps: ["a", "b"], categories: ["social"], domains: ["x.example"]),
            AppSelection(apps: ["v"], categories: ["video"]),
        ]
        for before in sides {
            for after in sides {
                #expect(after.changed(from: after, to: before) == before)
                var elsewhere = after
                elsewhere.domains.insert("new.example")
                var expected = before
                expected.domains.insert("new.example")
                #expect(elsewhere.changed(from: after, to: before) == expected)
            }
        }
    }
}
