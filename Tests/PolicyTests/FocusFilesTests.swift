import Foundation
import Testing

@testable import Policy

@Suite struct FocusFilesTests {
    private let ten = at("2025-10-21T10:00:00Z")

    private func session(
        _ start: String, _ seconds: Int = 1_500, label: String? = "25m", completed: Bool = true,
        _ number: Int = 1
    ) -> FocusSession {
        FocusSession(
            id: sessionID(number), start: at(start), end: at(start) + TimeInterval(seconds),
            durationSeconds: seconds, presetLabel: label, completed: completed)
    }

    @Test("MF-010, MF-011: timer-state.json is read and written as in the example")
    func timerState() throws {
        let example = #"{"total": 1500, "remaining": 1200, "running": false, "paused": false}"#
        let state = try TimerState(file: Data(example.utf8))
        #expect(state == TimerState(total: 1_500, remaining: 1_200, running: false, paused: false))
        #expect(
            String(decoding: state.file, as: UTF8.self)
                == #"{"paused":false,"remaining":1200,"running":false,"total":1500}"#)
        #expect(try TimerState(file: state.file) == state)
    }

    @Test("C-08: the export tells a running and a paused timer in the same four keys")
    func timerStateExport() {
        var timer = FocusTimer()
        _ = timer.apply(.start(session: sessionID(1)), at: ten)
        #expect(
            TimerState(timer, at: ten + 300)
                == TimerState(total: 1_500, remaining: 1_200, running: true, paused: false))
        _ = timer.apply(.pause, at: ten + 400)
        #expect(
            TimerState(timer, at: ten + 900)
                == TimerState(total: 1_500, remaining: 1_100, running: false, paused: true))
    }

    @Test("MF-013, MF-029: an import takes the values and runs nothing; start then goes on from 20:00")
    func timerStateImport() throws {
        var house = House(home(), at: "2025-10-21T10:00:00Z")
        let state = TimerState(total: 1_500, remaining: 1_200, running: true, paused: false)
        try house.change { household, _ in try household.importTimerState(me, state) }
        #expect(house.timer.stateName == "idle" && house.remaining == 1_200)
        try house.startFocus()
        #expect(house.timer.endsAt == ten + 1_200)
        #expect(throws: Refusal.focusRunning) {
            try house.change {
                try $0.importTimerState(me, state)
                _ = $1
            }
        }
        #expect(
            TimerState(total: 60, remaining: 0, running: false, paused: false).timer?.remaining(at: ten) == 60
        )
    }

    @Test(
        "A file that is not a timer-state.json is refused",
        arguments: [
            "", "[]", "null", #"{"total":1500,"remaining":1200,"running":false}"#,
            #"{"total":1500,"remaining":1501,"running":false,"paused":false}"#,
            #"{"total":1500,"remaining":-1,"running":false,"paused":false}"#,
            #"{"total":0,"remaining":0,"running":false,"paused":false}"#,
            #"{"total":90000,"remaining":1,"running":false,"paused":false}"#,
            #"{"total":"1500","remaining":1200,"running":false,"paused":false}"#,
            #"{"total":1e300,"remaining":1200,"running":false,"paused":false}"#,
            #"{"total":1500,"remaining":1200,"running":0,"paused":false}"#,
        ])
    func noTimerState(_ text: String) {
        #expect(throws: Refusal.timerStateUnreadable) { try TimerState(file: Data(text.utf8)) }
    }

    @Test("MF-012, C-26: sessions.json is read and written as in the example")
    func sessions() throws {
        let example = """
            [{"id": "00000000-0000-0000-0000-000000000001", "start": "2025-10-21T10:00:00Z", "durationSeconds": 1500, \
            "presetLabel": "25m", "completed": true}]
            """
        let read = try SessionsFile.sessions(Data(example.utf8))
        #expect(read == [session("2025-10-21T10:00:00Z")])
        let written = String(decoding: try SessionsFile.data(read), as: UTF8.self)
        #expect(
            written == """
                [
                  {
                    "completed" : true,
                    "durationSeconds" : 1500,
                    "id" : "00000000-0000-0000-0000-000000000001",
                    "presetLabel" : "25m",
                    "start" : "2025-10-21T10:00:00Z"
                  }
                ]
                """)
        #expect(try SessionsFile.sessions(Data(written.utf8)) == read)
        #expect(try SessionsFile.sessions(Data("[]".utf8)) == [])
        #expect(try SessionsFile.sessions(SessionsFile.data([])) == [])
    }

    @Test(
        "Starts with fractions, offsets, or as the number that the app's encoder wrote; MF-034: no label",
        arguments: [
            #""2025-10-21T10:00:00.750Z""#, #""2025-10-21T12:00:00+02:00""#, "782733600", "782733600.25",
        ])
    func starts(_ start: String) throws {
        let text = """
            [{"id":"00000000-0000-0000-0000-000000000001","start":\(start),"durationSeconds":60,"completed":false}]
            """
        #expect(
            try SessionsFile.sessions(Data(text.utf8))
                == [session("2025-10-21T10:00:00Z", 60, label: nil, completed: false)])
    }

    @Test(
        "A file that is not a sessions.json is refused as a whole",
        arguments: [
            "", "{}", "[1]",
            #"[{"id":"x","start":"2025-10-21T10:00:00Z","durationSeconds":1,"completed":true}]"#,
            #"[{"id":"00000000-0000-0000-0000-000000000001","start":"now","durationSeconds":1,"completed":true}]"#,
            #"[{"id":"00000000-0000-0000-0000-000000000001","start":"2025-10-21T10:00:00Z","durationSeconds":-1,"completed":true}]"#,
            #"[{"id":"00000000-0000-0000-0000-000000000001","start":"2025-10-21T10:00:00Z","durationSeconds":86401,"completed":true}]"#,
            #"[{"id":"00000000-0000-0000-0000-000000000001","start":"2025-10-21T10:00:00Z","durationSeconds":1}]"#,
            #"[{"id":"00000000-0000-0000-0000-000000000001","start":1e300,"durationSeconds":1,"completed":true}]"#,
        ])
    func noSessions(_ text: String) {
        #expect(throws: Refusal.sessionsUnreadable) { try SessionsFile.sessions(Data(text.utf8)) }
    }

    @Test("MF-018, RFC 4180: the history as a table, quoted, and no formula in any cell")
    func csv() {
        let rows = [
            session("2025-10-21T10:00:00Z"),
            session("2025-10-21T12:00:00Z", 61, label: nil, completed: false, 2),
        ]
        #expect(
            SessionsCSV.text(rows) == """
                id,start,durationSeconds,presetLabel,completed\r
                00000000-0000-0000-0000-000000000001,2025-10-21T10:00:00Z,1500,25m,true\r
                00000000-0000-0000-0000-000000000002,2025-10-21T12:00:00Z,61,,false\r\n
                """)
        let cells = [
            "25m": "25m", "": "", "a,b": "\"a,b\"", "a\"b": "\"a\"\"b\"", "a\nb": "\"a\nb\"",
            "a\r\nb": "\"a\r\nb\"",
            "=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\t=1": "'\t=1",
            "=\"a\"": "\"'=\"\"a\"\"\"",
            "＝1": "'＝1", "\r\n=1": "\"'\r\n=1\"",
        ]
        for (text, cell) in cells { #expect(SessionsCSV.cell(text) == cell) }
        #expect(SessionsCSV.text([]) == "id,start,durationSeconds,presetLabel,completed\r\n")
    }

    @Test("Totals per day and week, in the household's calendar, over a clock change and midnight")
    func totals() {
        let sessions = [
            // Berlin: Sunday 25 October 2026 has 25 hours; 23:30Z on the 24th is 01:30 on the 25th.
            session("2026-10-24T23:30:00Z", 600), session("2026-10-25T22:50:00Z", 1_500, completed: false),
            session("2026-10-25T23:00:00Z", 60), session("2026-10-18T10:00:00Z", 5),
            session("2026-10-01T10:00:00Z", 7),
        ]
        let days = FocusTotals.days(sessions, upTo: day("2026-10-26"), count: 3, in: zone("Europe/Berlin"))
        #expect(days.map(\.date) == [day("2026-10-24"), day("2026-10-25"), day("2026-10-26")])
        #expect(days.map(\.seconds) == [0, 2_100, 60])
        #expect(days.map(\.sessions) == [0, 2, 1] && days.map(\.completed) == [0, 1, 1])
        let weeks = FocusTotals.weeks(sessions, upTo: day("2026-10-28"), count: 3, in: zone("Europe/Berlin"))
        #expect(weeks.map(\.date) == [day("2026-10-12"), day("2026-10-19"), day("2026-10-26")])
        #expect(weeks.map(\.seconds) == [5, 2_100, 60])
        #expect(FocusTotals.days(sessions, upTo: day("2026-10-26"), count: 0, in: .utc) == [])
    }
}
