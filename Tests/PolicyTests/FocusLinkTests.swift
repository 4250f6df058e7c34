import Foundation
import Testing

@testable import Policy

@Suite struct FocusLinkTests {
    @Test(
        "A-13, MF-052: minutes of a link",
        arguments: [
            (nil, 25), ("", 25), ("25", 25), ("45", 45), ("90", 90), ("1", 1), ("7", 7), ("045", 45),
            ("+30", 30),
            ("0", 25), ("-5", 25), ("-0", 25), ("00", 25), ("1440", 1_440), ("1441", 1_440),
            ("999999", 1_440),
            ("99999999999999999999999", 1_440), ("-99999999999999999999999", 25), ("25.0", 25), ("12.5", 25),
            ("1e2", 25), ("abc", 25), ("45m", 25), (" 45", 25), ("45 ", 25), ("0x10", 25), ("４５", 25),
            ("٤٥", 25),
            ("--5", 25), ("+", 25), ("-", 25), ("1_0", 25), ("1,440", 25), ("NaN", 25), ("\u{0}45", 25),
        ] as [(String?, Int)])
    func minutes(_ text: String?, _ expected: Int) {
        #expect(Preset(link: text).minutes == expected)
    }

    @Test("MF-030 to MF-032, MF-057: presets and their words")
    func presets() {
        #expect(Preset.all.map(\.minutes) == [25, 45, 90])
        #expect(Preset.all.map(\.label) == ["25m", "45m", "90m"])
        #expect(Preset.all.map(\.widgetLabel) == ["25", "45", "90"])
        #expect(Preset.all[1].hint == "Set preset to 45 minutes" && Preset.all[2].path == "/start?minutes=90")
        #expect(Preset(minutes: 1_440)?.seconds == 86_400)
        #expect(Preset(minutes: 0) == nil && Preset(minutes: 1_441) == nil && Preset(minutes: -1) == nil)
    }

    @Test(
        "MF-050, MF-055, T-10: one parser reads every spelling",
        arguments: [
            "/start?minutes=45", "monofocus://start?minutes=45", "web+monofocus://start?minutes=45",
            "MonoFocus://START?minutes=45", "web+monofocus://start/?minutes=45",
            "monofocus://start?a=b&minutes=45&minutes=90", "monofocus://start?min%75tes=%34%35#top",
            "/start?minutes=45#minutes=90", "/start?=1&minutes=45",
        ])
    func spellings(_ link: String) {
        #expect(FocusLink(link) == .start(Preset(minutes: 45)!))
    }

    @Test(
        "MF-052: missing or invalid minutes mean 25",
        arguments: [
            "/start", "monofocus://start", "web+monofocus://start?", "monofocus://start?minutes",
            "monofocus://start?minutes=", "/start?minutes=x&minutes=45", "/start?Minutes=45",
            "/start?minutes=%ff",
            "/start?minutes=4%205", "/start?minutes=0", "monofocus://start?minutes=-3",
        ])
    func standard(_ link: String) {
        #expect(FocusLink(link) == .start(.standard))
    }

    @Test(
        "MF-051, MF-053: another scheme or host changes nothing",
        arguments: [
            "", "/", "start?minutes=45", "//start?minutes=45", "/start/?minutes=45", "/starts?minutes=45",
            "https://start?minutes=45", "monofocus:start?minutes=45", "monofocus:///start?minutes=45",
            "monofocus://history", "monofocus://stop", "monofocus://started?minutes=1", "monofocus://",
            "web+mono://start?minutes=45", "javascript:alert(1)", "monofocus://evil@start?minutes=45",
            "?minutes=45",
            "#monofocus://start", "xmonofocus://start?minutes=1", "monofocus://start.evil/?minutes=1", ":",
            "%",
        ])
    func elsewhere(_ link: String) {
        #expect(FocusLink(link) == .page)
    }

    @Test("MF-077, MF-078: the link that runs a shortcut encodes everything; an empty name has none")
    func shortcuts() {
        #expect(FocusShortcuts.link("") == nil)
        #expect(
            FocusShortcuts.link("MonoFocus DND") == "shortcuts://run-shortcut?name=MonoFocus%20DND")
        #expect(
            FocusShortcuts.link("a&b=c+d#e/ü\"'")
                == "shortcuts://run-shortcut?name=a%26b%3Dc%2Bd%23e%2F%C3%BC%22%27")
    }

    @Test("MF-076, MF-080: shortcut names are saved, and can be emptied")
    func shortcutNames() throws {
        var house = House(home(), at: "2026-11-20T10:00:00Z")
        #expect(house.focus.shortcuts == FocusShortcuts(dndShortcutName: "", grayscaleShortcutName: ""))
        try house.change { household, _ in
            try household.saveShortcutNames(
                me, FocusShortcuts(dndShortcutName: " MonoFocus DND\n", grayscaleShortcutName: " "))
        }
        #expect(house.focus.shortcuts == FocusShortcuts(dndShortcutName: "MonoFocus DND"))
        let long = FocusShortcuts(grayscaleShortcutName: String(repeating: "x", count: 61))
        #expect(throws: Refusal.nameTooLong) {
            try house.change {
                try $0.saveShortcutNames(me, long)
                _ = $1
            }
        }
        #expect(house.focus.shortcuts.dndShortcutName == "MonoFocus DND")
    }
}
