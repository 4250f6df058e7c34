import Policy
import Testing

@testable import Pages

@Suite struct PickerTests {
    private func picker(
        _ purpose: PickerPurpose = .allowing, _ selection: AppSelection = AppSelection(),
        _ view: PickerView = PickerView(), taken: Set<LimitTarget> = []
    ) -> Picker {
        Picker(
            purpose, catalog: Sample.catalog, ownApps: [Sample.ownApp], selection: selection, view: view,
            taken: taken)
    }

    @Test("A category says how much of it is chosen, and only an open one has its apps on the page")
    func shelves() {
        let chosen = AppSelection(apps: ["reddit"], categories: ["music"])
        let shelves = picker(.allowing, chosen).shelves
        #expect(shelves.map(\.count) == ["None", "1 of 3", "None", "All allowed", "None"])
        #expect(shelves.filter { !$0.apps.isEmpty }.map(\.id) == ["social"])
        #expect(
            picker(.blocking, AppSelection(apps: ["spotify"])).shelves.contains { $0.count == "All blocked" })
    }

    @Test("The apps of a category that is ticked as a whole are shown ticked")
    func wholeCategories() {
        let whole = picker(
            .allowing, AppSelection(categories: ["social"]), PickerView(open: ["social"]))
        let social = whole.shelves.first { $0.id == "social" }
        #expect(social?.apps.count == 3 && social?.apps.allSatisfy(\.isSelected) == true)
    }

    @Test("A name with www or m is only a part of its site, and the site is proposed")
    func wholeSites() {
        let chosen: Set = [
            "www.school.example", "www.co.uk", "example.org", "www.example.org", "www.a.b.example",
            "m.school.example",
            "m.example.org",
        ]
        #expect(
            picker(.allowing, AppSelection(domains: chosen)).sites.map(\.part)
                == ["m.school.example", "www.a.b.example", "www.school.example"])
        #expect(
            picker(.allowing, AppSelection(domains: chosen.union(["b.example"]))).sites.map(\.whole)
                == ["school.example", "school.example"])
    }

    @Test("What people come for stands first, and the rest in the catalog's order")
    func order() {
        let categories = [
            "adult", "books", "games", "learning", "news", "phone", "short-video", "social", "video",
        ]
        .map { Category(id: $0, name: $0) }
        func ids(_ purpose: PickerPurpose) -> [String] { purpose.inOrder(categories).map(\.id) }
        for purpose in [PickerPurpose.blocking, .limiting, .cutting] {
            #expect(
                ids(purpose) == [
                    "short-video", "social", "video", "games", "books", "learning", "news", "phone", "adult",
                ])
        }
        #expect(ids(.allowing).prefix(3) == ["phone", "books", "games"] && ids(.allowing).last == "adult")
        #expect(ids(.counting).prefix(2) == ["learning", "books"])
    }

    @Test("A search shows names before domains, with whole categories first where they can be chosen")
    func search() {
        let view = PickerView(find: "o")
        #expect(picker(.allowing, view: view).found.first?.field == "category")
        #expect(picker(.blocking, view: view).found.allSatisfy { $0.field == "app" })
        #expect(picker(.blocking, view: PickerView(find: "tok")).found.map(\.id) == ["tiktok"])
        #expect(picker(.blocking, view: view).shelves.isEmpty)
        #expect(!picker(.limiting, view: view, taken: [.app("tiktok")]).found.contains { $0.id == "tiktok" })
    }

    private func picker(_ purpose: PickerPurpose, view: PickerView, taken: Set<LimitTarget> = []) -> Picker {
        picker(purpose, AppSelection(), view, taken: taken)
    }

    @Test("Undo names one change, and counts several")
    func undo() {
        func text(_ before: AppSelection, _ after: AppSelection) -> String {
            PickerUndo(id: "1", from: before, to: after, catalog: Sample.catalog).text
        }
        #expect(text(AppSelection(), AppSelection(apps: ["tiktok"])) == "TikTok added.")
        #expect(text(AppSelection(categories: ["social"]), AppSelection()) == "Social removed.")
        #expect(
            text(AppSelection(categories: ["social"]), AppSelection(apps: ["reddit", "tiktok"]))
                == "3 changes saved.")
    }
}
