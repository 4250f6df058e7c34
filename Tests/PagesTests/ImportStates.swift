import Dashboard
import Foundation
import Pages
import Policy

extension PageState {
    /// Moving in from another DNS server.
    static let moving = [
        PageState(name: "import", page: ImportPage(), context: context(path: "/settings/import")),
        PageState(
            name: "import-refused",
            page: ImportPage(error: "This archive is not whole. Export it again under Settings, Teleporter."),
            context: context(path: "/settings/import")),
        PageState(
            name: "import-lists", page: lists(clients), context: context(path: "/settings/import", people: 2)),
        PageState(
            name: "import-nothing-ticked",
            page: lists(clients, .init(clients: []), "Tick at least one device."),
            context: context(path: "/settings/import/take", people: 2)),
        PageState(
            name: "import-no-devices",
            page: lists([ForeignClient(name: "Guests", otherIDs: ["10.9.0.0/16"])]),
            context: context(path: "/settings/import")),
    ]

    private static let clients = [
        ForeignClient(
            name: "Mia’s phone", hardware: ["aa:bb:cc:00:00:01"], otherIDs: ["mias-phone"], isChild: true,
            kind: .phone,
            rules: ForeignRules(
                services: ["tiktok", "cloudflare"],
                pauses: [ForeignRules.Pause(day: .sat, start: 600, end: 1_440)!])),
        ForeignClient(name: Sample.hostile, addresses: ["192.168.1.30"]),
    ]

    private static func lists(
        _ clients: [ForeignClient], _ choice: ImportPlan.Choice? = nil, _ refused: String? = nil
    ) -> ImportPage {
        let household = Household(
            timeZone: "Europe/Berlin",
            people: [Sample.person(), Person(id: Sample.other, name: Sample.hostile)])
        let catalog = Catalog(
            categories: [],
            apps: [App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"])],
            alwaysReachable: [])
        let foreign = ForeignHousehold(
            source: .adGuardHome, clients: clients, leftovers: [.blockLists: 3, .dhcp: 1])
        let proposed = household.importPlan(of: foreign, catalog: catalog)
        let plan = choice.map { household.importPlan(of: foreign, choice: $0, catalog: catalog) }
        return ImportPage(
            plan ?? proposed, proposed: proposed, file: "6F9619FF-8B86-D011-B42D-00C04FC964FF",
            household: household, catalog: catalog, refused: refused)
    }
}
