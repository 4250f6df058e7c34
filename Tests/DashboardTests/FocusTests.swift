import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

@Suite struct FocusRoutesTests {
    private func timer(_ house: TestHouse) -> FocusTimer { house.me.focus.timer }

    @Test("MF-023 to MF-029: length, start, pause, resume and stop, each by its form")
    func moves() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get("/focus").text.contains("25:00"))
            #expect(try await owner.post("/focus/length", [("minutes", "45")]).location == "/focus")
            #expect(timer(house).totalSeconds == 2_700 && !timer(house).isRunning)
            #expect(try await owner.post("/focus/start").location == "/focus")
            #expect(timer(house).isRunning)
            house.clock.advance(by: 60)
            #expect(try await owner.get("/focus").text.contains("44:00"))
            _ = try await owner.post("/focus/pause")
            #expect(timer(house).isPaused)
            house.clock.advance(by: 600)
            #expect(try await owner.get("/focus").text.contains("44:00"))
            _ = try await owner.post("/focus/resume")
            #expect(timer(house).isRunning)
            house.clock.advance(by: 60)
            #expect(try await owner.post("/focus/stop").location == "/focus")
            #expect(try await owner.get("/focus").text.contains("45:00"))
        }
        let kept = try house.store.allFocusSessions(of: house.me.id)
        #expect(kept.map(\.durationSeconds) == [120] && kept.map(\.completed) == [false])
        #expect(kept.map(\.presetLabel) == ["45m"])
    }

    @Test("MF-028: an illegal move redirects and changes nothing")
    func illegal() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for move in ["pause", "resume", "stop"] {
                #expect(try await owner.post("/focus/\(move)").location == "/focus")
                #expect(timer(house) == FocusTimer())
            }
            _ = try await owner.post("/focus/start", [("minutes", "45")])
            let running = timer(house)
            for (move, fields) in [
                ("start", []), ("start", [("minutes", "90")]), ("resume", []),
                ("length", [("minutes", "90")]),
            ] as [(String, [(String, String)])] {
                #expect(try await owner.post("/focus/\(move)", fields).location == "/focus")
                #expect(timer(house) == running)
            }
        }
    }

    @Test("MF-087: save=false keeps nothing of a session")
    func discards() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/focus/start")
            house.clock.advance(by: 60)
            _ = try await owner.post("/focus/stop", [("save", "false")])
            #expect(timer(house) == FocusTimer())
            _ = try await owner.post("/focus/start")
            #expect(try await owner.post("/focus/stop", [("save", "maybe")]).status == .unprocessableContent)
            #expect(timer(house).isRunning)
        }
        #expect(try house.store.allFocusSessions(of: house.me.id).isEmpty)
    }

    @Test("MF-086: a new length in a pause asks whether to keep what was done, and drops nothing by itself")
    func asks() async throws {
        for (answer, kept) in [("true", [1_200]), ("false", [])] {
            let house = try TestHouse()
            try await house.visit { guest in
                let owner = try guest.signedIn()
                _ = try await owner.post("/focus/start", [("minutes", "45")])
                house.clock.advance(by: 1_200)
                _ = try await owner.post("/focus/pause")
                let paused = timer(house)
                let question = try await owner.post("/focus/length", [("minutes", "25")])
                #expect(question.status == .ok && timer(house) == paused)
                #expect(question.text.contains("Keep the 20m that you did?"))
                #expect(question.text.contains("name=\"minutes\" value=\"25\""))
                let answered = try await owner.post("/focus/length", [("minutes", "25"), ("save", answer)])
                #expect(answered.location == "/focus" && timer(house) == FocusTimer())
                _ = try await owner.post("/focus/stop")
            }
            #expect(try house.store.allFocusSessions(of: house.me.id).map(\.durationSeconds) == kept)
        }
    }

    @Test(
        "A length that is none: 422 beside the field, and nothing starts",
        arguments: ["0", "-1", "1441", "25.5", "1e2", "", "ten", "<script>", "\u{661}\u{665}", "99999999999"])
    func refusesLengths(_ minutes: String) async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for path in ["/focus/length", "/focus/start"] {
                let response = try await owner.post(path, [("minutes", minutes)])
                #expect(response.status == .unprocessableContent)
                #expect(response.text.contains("The timer runs 1 to 1440 whole minutes."))
                #expect(!response.text.contains("<script>"))
            }
        }
        #expect(timer(house) == FocusTimer())
    }

    @Test(
        "MF-088, C-08: it completes at its true end, the page says so, and only once it stands in the history"
    )
    func completes() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/focus/start", [("minutes", "25")])
            house.clock.advance(by: 1_800)
            for _ in 0..<2 {
                let page = try await owner.get("/focus").text
                #expect(page.contains("<b>25m focused.</b> <span>Ended at 20:25.</span>"))
                #expect(page.contains("25:00"))
            }
            _ = try await owner.post("/focus/length", [("minutes", "45")])
            #expect(try await owner.get("/focus").text.contains("Today: <span>25m in 1 session</span>"))
            house.clock.advance(by: 7_200)
            #expect(try await !owner.get("/focus").text.contains("focused."))
        }
        let kept = try house.store.allFocusSessions(of: house.me.id)
        #expect(kept.map(\.end) == [TestHouse.evening + 1_500] && kept[0].completed)
    }

    @Test(
        "A-13, MF-052: what a link says, before anything starts",
        arguments: [
            ("/start?minutes=45", 45), ("/start", 25), ("/start?minutes=", 25), ("/start?minutes=0", 25),
            ("/start?minutes=-5", 25), ("/start?minutes=12.5", 25), ("/start?minutes=x", 25),
            ("/start?minutes=99999", 1_440), ("/start?minutes=90&minutes=25", 90),
            ("/start?link=web%2Bmonofocus%3A%2F%2Fstart%3Fminutes%3D45", 45),
            ("/start?link=monofocus%3A%2F%2Fstart", 25),
        ])
    func links(_ path: String, _ minutes: Int) async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            for _ in 0..<3 {
                let page = try await owner.get(path)
                #expect(page.status == .ok && page.headers[.cacheControl] == "no-store")
                #expect(page.text.contains("name=\"minutes\" value=\"\(minutes)\""))
            }
            #expect(timer(house) == FocusTimer(), "reading a link starts nothing (T-11)")
            _ = try await owner.post("/focus/start", [("minutes", "\(minutes)")])
        }
        #expect(timer(house).isRunning && timer(house).totalSeconds == minutes * 60)
    }

    @Test(
        "MF-051, MF-053: another scheme or host leads to the page and changes nothing",
        arguments: [
            "/start?link=https%3A%2F%2Fevil.example%2Fstart%3Fminutes%3D45",
            "/start?link=web%2Bmonofocus%3A%2F%2Fhistory", "/start?link=javascript%3Aalert(1)",
            "/start?link=",
        ])
    func otherLinks(_ path: String) async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.get(path).location == "/focus")
        }
        #expect(timer(house) == FocusTimer())
    }

    @Test("C-27: a link while it runs leads to the timer; while it is paused it sets and starts")
    func linksWhileRunning() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            _ = try await owner.post("/focus/start", [("minutes", "90")])
            #expect(try await owner.get("/start?minutes=25").location == "/focus")
            house.clock.advance(by: 600)
            _ = try await owner.post("/focus/pause")
            #expect(try await owner.get("/start?minutes=25").status == .ok)
            _ = try await owner.post("/focus/start", [("minutes", "25")])
        }
        #expect(timer(house).isRunning && timer(house).totalSeconds == 1_500)
        let kept = try house.store.allFocusSessions(of: house.me.id)
        #expect(kept.map(\.durationSeconds) == [600], "MF-086: what was paused is kept")
    }

    @Test("The asking device's own person needs no login for the timer; strangers and settings do")
    func withoutLogin() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let page = try await guest.get("/focus").text
            #expect(page.contains("Start</button>") && !page.contains("Save Shortcut Names"))
            #expect(try await guest.post("/focus/start").location == "/focus")
            #expect(timer(house).isRunning)
            #expect(try await guest.get("/focus/history").status == .ok)
            let stranger = guest.at(TestHouse.stranger)
            for path in ["/focus", "/start?minutes=25", "/focus/history", "/focus/history.csv"] {
                #expect(try await stranger.get(path).location?.hasPrefix("/login?next=") == true)
            }
            #expect(try await stranger.post("/focus/stop").location == "/login")
            #expect(try await guest.post("/focus/shield", [("isOn", "on")]).location == "/login")
            #expect(try await stranger.get("/widget/presets").status == .ok)
        }
        #expect(timer(house).isRunning && !house.me.focus.shieldsWhileFocusing)
    }

    @Test(
        "A device that somebody enrolled without a login neither moves the timer nor reads what was done with it"
    )
    func unconfirmed() async throws {
        let device = Device(
            id: DeviceID(rawValue: 9), name: "A guest's", person: PersonID(rawValue: 1), isConfirmed: false,
            addresses: [TestHouse.phone], firstSeen: TestHouse.evening, lastSeen: TestHouse.evening)
        let house = try TestHouse(devices: [device])
        try house.store.change {
            try $0.startFocus(house.me.id, minutes: 25, session: UUID(), at: house.clock.now)
        }
        try await house.visit { guest in
            for move in ["start", "pause", "resume", "stop"] {
                let moved = try await guest.post("/focus/\(move)")
                #expect(moved.location == "/login", "\(move)")
            }
            let history = try await guest.get("/focus/history")
            #expect(history.location?.hasPrefix("/login") == true)
        }
        #expect(timer(house).isRunning)
    }

    @Test("Shield distractions while focusing: a switch, off by default")
    func shield() async throws {
        let house = try TestHouse()
        #expect(!house.me.focus.shieldsWhileFocusing)
        try await house.visit { guest in
            let owner = try guest.signedIn()
            #expect(try await owner.post("/focus/shield", [("isOn", "on")]).location == "/focus?done=saved")
            #expect(house.me.focus.shieldsWhileFocusing)
            #expect(try await owner.get("/focus").text.contains("aria-describedby=\"shield-hint\" checked"))
            _ = try await owner.post("/focus/shield")
            #expect(!house.me.focus.shieldsWhileFocusing)
            #expect(
                try await owner.post("/focus/shield", [("isOn", "perhaps")]).status == .unprocessableContent)
        }
    }

    @Test("MF-076 to MF-080: names are saved per person, and every character of them is encoded in the link")
    func shortcuts() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let hostile = "A&B + C#\"><script>alert(1)</script>"
            let saved = try await owner.post("/focus/shortcuts", [("dnd", hostile), ("grayscale", "")])
            #expect(saved.location == "/focus?done=saved")
            let page = try await owner.get("/focus").text
            #expect(page.contains("shortcuts://run-shortcut?name=A%26B%20%2B%20C%23%22%3E%3Cscript%3E"))
            #expect(!page.contains("<script>alert"))
            #expect(page.components(separatedBy: "shortcuts://").count == 2)
            let long = try await owner.post(
                "/focus/shortcuts", [("dnd", "x"), ("grayscale", String(repeating: "y", count: 61))])
            #expect(long.status == .unprocessableContent && long.text.contains("id=\"grayscale-error\""))
        }
        #expect(house.me.focus.shortcuts.dndShortcutName.hasPrefix("A&B + C#"))
    }
}
