import Foundation
import Testing

@testable import Policy

/// C-34: Help is for need. How presses count is in `HouseholdCommandTests`.
@Suite struct HelpTests {
    private let now = at("2026-11-20T20:00:00Z")

    @Test("C-34: in a strict session messengers wait from the first press on, in a flexible one they do not")
    func helpOfAStrictSession() throws {
        for strictness in StrictnessMode.allCases {
            var household = home()
            try household.startSession(me, durationMinutes: 60, strictness: strictness, id: UUID(), at: now)
            try household.useHelp(phone, at: now + 5)
            let isStrict = strictness == .strict
            #expect(household[device: phone]?.help(at: now + 6) == (isStrict ? .helpAtOnce : .help))
            #expect(household[device: phone]?.help(at: now + 65) == .help)
            // Over: the presses of the night count again.
            household.people[0].session = nil
            try household.useHelp(phone, at: now + 100)
            #expect(household[device: phone]?.help(at: now + 101) == .help)
        }
    }

    @Test("C-34: a person's own Anti-Rot list stays shut, but for calls and the phone's own messages")
    func helpAndAntiRot() throws {
        let apps = [
            App(id: "whatsapp", name: "WhatsApp", category: "messengers", suffixes: ["whatsapp.com"]),
            App(id: "signal", name: "Signal", category: "messengers", suffixes: ["signal.org"]),
            App(id: "imessage", name: "iMessage", category: "phone", suffixes: ["ess.apple.com"]),
            App(id: "waze", name: "Waze", category: "maps", suffixes: ["waze.com"]),
            App(id: "nhs", name: "NHS", category: "health", suffixes: ["nhs.uk"]),
            App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"]),
        ]
        let catalog = Catalog(
            categories: ["messengers", "phone", "maps", "health", "social"].map {
                Category(id: $0, name: $0)
            },
            apps: apps, alwaysReachable: [])
        var household = home()
        household.people[0].antiRot = AntiRot(
            restricted: AppSelection(apps: ["whatsapp", "imessage", "waze", "tiktok"]), windows: [])
        func open(_ seconds: TimeInterval) -> [String] {
            let snapshot = Snapshot(
                revision: 1, instant: now + seconds, household: household, catalog: catalog,
                verdicts: household.evaluate(at: now + seconds))
            return apps.filter {
                snapshot.verdict(of: $0.suffixes[0], device: household.devices[0]).block == nil
            }
            .map(\.id)
        }
        #expect(open(0) == ["signal", "nhs"], "Anti-Rot alone")
        try household.startSession(me, durationMinutes: 60, strictness: .strict, id: UUID(), at: now)
        #expect(open(0) == [])
        try household.useHelp(phone, at: now)
        #expect(open(59) == ["imessage", "nhs"])
        #expect(open(60) == ["signal", "imessage", "nhs"])
        #expect(open(900) == [])
        #expect(catalog.shutToHelp(for: household.people[0]) == ["whatsapp", "waze"])
        // In a window of its own, what is on the list is open as ever.
        household.people[0].session = nil
        household.people[0].antiRot.windows = [
            TimeWindow(id: UUID(), label: "", start: time("00:00"), end: time("23:59"))
        ]
        #expect(open(60) == apps.map(\.id))
    }
}
