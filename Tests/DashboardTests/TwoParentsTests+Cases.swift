import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

extension TwoParentsTests {
    static let window = UUID(uuidString: "6F1C1F5A-4E6D-4B5B-9F53-0C8B9A0D7E11")!
    private static let bedtimes: [String?] = ["20:30", "21:30"]
    private static let mornings: [String?] = ["06:30", "06:45"]

    /// Every form that saves stored values.
    static let cases: [Case] = [
        Case(
            page: "/settings/people", action: "/settings/people/2",
            others: [("name", ["Anna", "Annie"]), ("role", ["adult"])]),
        Case(
            page: "/devices", action: "/devices/2",
            others: [
                ("name", ["Slate", "Pad"]), ("kind", ["phone", "computer"]), ("owner", ["1", ""]),
            ]),
        // Only a tablet has this switch.
        Case(
            page: "/devices", action: "/devices/2",
            others: [("name", ["Slate", "Pad"]), ("noMobileData", ["on"])]),
        Case(
            page: "/schedule?person=2", action: "/schedule",
            others: [
                ("isEnabled", [nil]), ("start", bedtimes), ("end", mornings), ("strictness", ["strict"]),
                ("days=mon", [nil]), ("days=fri", [nil]), ("exceptionStart0", ["23:15", "23:45"]),
            ]),
        Case(
            page: "/limits?person=2", action: "/limits",
            others: [("minutes", ["30", "45"]), ("mon", ["10", "20"]), ("weekly", ["200", "210"])]),
        Case(
            page: "/limits?person=2", action: "/limits/settings",
            others: [
                ("resetHour", ["3", "4"]), ("unlocksPerDay", ["2", "5"]),
            ]),
        // Alone, because other changes then wait.
        Case(
            page: "/limits?person=2", action: "/limits/settings", others: [("looseningDelay", ["8", "24"])]),
        Case(
            page: "/anti-rot/schedule?person=2&edit=\(window.uuidString)",
            action: "/anti-rot/windows/\(window.uuidString)",
            others: [
                ("label", ["Break", "Pause"]), ("start", ["11:00", "11:30"]), ("end", ["14:00", "14:30"]),
                ("days=sat", [nil]), ("days=mon", [nil]),
            ]),
        Case(
            page: "/anti-rot/apps?person=2&open=social,messengers", action: "/anti-rot/apps",
            others: [("app=tiktok", [nil]), ("app=whatsapp", [nil])]),
        Case(
            page: "/allowed-apps?person=2&open=social,messengers", action: "/allowed-apps",
            others: [("app=tiktok", [nil]), ("app=whatsapp", [nil])]),
        Case(
            page: "/allowed-apps?person=2&open=social,messengers", action: "/allowed-apps",
            others: [("category=social", [nil]), ("app=whatsapp", [nil])]),
        Case(page: "/allowed-apps", action: "/allowed-apps/reachable", others: [("reachable=google", [nil])]),
        Case(
            page: "/verified/selection?person=2&open=social,messengers", action: "/verified/selection",
            others: [("app=tiktok", [nil]), ("app=whatsapp", [nil])]),
        Case(
            page: "/relay?person=2&open=social,messengers", action: "/relay",
            others: [("ruled", [nil]), ("app=tiktok", [nil]), ("app=whatsapp", [nil])]),
        Case(page: "/settings?person=2", action: "/settings", others: [("defaultStrictness", ["strict"])]),
        Case(page: "/settings/clock", action: "/settings/clock", others: [("clock", ["12", "24"])]),
        Case(page: "/settings/help", action: "/settings/help", others: [("offersHelp", [nil])]),
        Case(
            page: "/settings/new-devices", action: "/settings/new-devices",
            others: [("newDevices", ["1", "2"])]),
        Case(
            page: "/settings/time-zone", action: "/settings/time-zone",
            others: [("timeZone", ["Europe/Paris", "Europe/Rome"])]),
        Case(
            page: "/setup/people", action: "/setup/people",
            others: [("name-1", ["Max", "Moe"]), ("name-2", ["Anna", "Annie"]), ("role-2", ["adult"])]),
        Case(
            page: "/setup/bedtime", action: "/setup/bedtime",
            others: [
                ("start-2", bedtimes), ("end-2", mornings), ("start-1", bedtimes),
            ]),
        // Times of a night that is off are not saved.
        Case(page: "/setup/bedtime", action: "/setup/bedtime", others: [("on-1", [nil]), ("on-2", [nil])]),
        Case(
            page: "/setup/router", action: "/setup/router",
            others: [("formerDNS", ["192.168.1.1", "192.168.1.2"])]),
        Case(page: "/suggestions", action: "/suggestions", others: [("tasks", ["Read", "Walk"])]),
        Case(page: "/focus", action: "/focus/shield", others: [("isOn", [nil])]),
        Case(
            page: "/focus", action: "/focus/shortcuts",
            others: [("dnd", ["Quiet", "Calm"]), ("grayscale", ["Grey", "Pale"])]),
        Case(
            page: "/verified/setup?person=2", action: "/verified/time-zone",
            others: [("timeZone", ["Europe/Paris", "Europe/Rome"])]),
    ]

    @Test(
        "Other times of two nights that both put into the same row are no one's mixture: the second decides")
    func sameRow() async throws {
        let house = try house()
        let test = try #require(Self.cases.first { $0.action == "/schedule" })
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let page = try await form(owner, test)
            let thursday = page.changing(Change(name: "exceptionDays1=thu", value: nil))
            #expect(try await send(owner, thursday).status == .seeOther)
            let friday = page.changing(Change(name: "exceptionDays1=fri", value: nil))
                .changing(Change(name: "exceptionStart1", value: "23:50"))
            let refused = try await send(owner, friday)
            #expect(
                refused.status == .conflict && refused.text.contains("Meanwhile this was changed to “Thu"))
            let exceptions = house.store.household.people[1].schedule?.exceptions.map(\.days)
            #expect(exceptions == [[.sat], [.thu]] || exceptions == [[.thu], [.sat]])
        }
    }

    @Test("Ticks in a part of the page that a script opened count, though the page itself does not show them")
    func openedByScript() async throws {
        let house = try house()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/allowed-apps", [("app", "tiktok"), ("app", "whatsapp")])
            let shown = ("shown", "/allowed-apps?open= domain=&app=tiktok&app=whatsapp")
            let fields = [("app", "tiktok"), ("domain", ""), ("open", "social"), shown]
            #expect(try await owner.post("/allowed-apps", fields).status == .seeOther)
            #expect(house.me.allowed.apps == ["tiktok"])
            #expect(try await owner.post("/allowed-apps", fields).status == .seeOther)
            #expect(house.me.allowed.apps == ["tiktok"])
        }
    }
}
