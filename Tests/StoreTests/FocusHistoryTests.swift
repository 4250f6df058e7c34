import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// The focus timer in its rows, and its finished sessions in the history.
@Suite struct FocusHistoryTests {
    static let run = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!
    private let end = noon.addingTimeInterval(1_500)

    static func session(_ number: Int, start: Date = noon, completed: Bool = true) -> FocusSession {
        FocusSession(
            id: UUID(uuidString: "00000000-0000-0000-0000-" + String(100_000_000_000 + number))!,
            start: start, end: start.addingTimeInterval(1_500), durationSeconds: 1_500, presetLabel: "25m",
            completed: completed)
    }

    private func started(_ scratch: Scratch) throws -> HouseholdStore {
        let store = try scratch.open()
        try store.change { try $0.startFocus(me, minutes: 25, session: Self.run, at: noon) }
        return store
    }

    private func settle(_ store: HouseholdStore, at now: Date) throws {
        try store.change(keeping: .evenInMemory) { household, log in
            household.settle(at: now, log: &log, newID: UUID.init)
        }
    }

    /// A session ends while the disk refuses it, and the store closes.
    private func finishUnwritten(_ scratch: Scratch) throws {
        let store = try started(scratch)
        try store.refuseWrites()
        try settle(store, at: end)
        store.flush()
    }

    private var completed: FocusSession {
        FocusSession(
            id: Self.run, start: noon, end: end, durationSeconds: 1_500, presetLabel: "25m", completed: true)
    }

    @Test("C-08, MF-088: what fell due while nothing ran is completed once, at its true end")
    func completedAfterDowntime() throws {
        let scratch = Scratch()
        try { _ = try started(scratch) }()
        let store = try scratch.open(at: end.addingTimeInterval(86_400))
        #expect(store.household.people[0].focus.timer.endsAt == end)
        for _ in 0..<3 { try settle(store, at: end.addingTimeInterval(86_400)) }
        #expect(try store.allFocusSessions(of: me) == [completed])
        #expect(store.latestFocusSession(of: me) == completed)
        #expect(store.household.people[0].focus == Focus(timer: FocusTimer()))
    }

    @Test("A timer outlives a restart in both of its states (MF-006, C-08)")
    func bothStatesAreKept() throws {
        let scratch = Scratch()
        try {
            let store = try started(scratch)
            try store.change { household in
                household.people.append(Person(id: PersonID(rawValue: 2), name: "Ada"))
                let ada = PersonID(rawValue: 2)
                try household.startFocus(ada, minutes: 90, session: UUID(), at: noon)
                try household.moveFocus(ada, .pause, at: noon.addingTimeInterval(61))
            }
            store.flush()
        }()
        let people = try scratch.open().household.people
        #expect(people[0].focus.timer.isRunning && people[0].focus.timer.remaining(at: noon) == 1_500)
        #expect(people[1].focus.timer.isPaused && people[1].focus.timer.remaining(at: end) == 5_339)
        #expect(people[1].focus.lastPreset == Preset(minutes: 90))
        #expect(LastKnown.read(directory: scratch.path)?.people == people)
    }

    @Test("What finished while the disk refused is shown at once and written once")
    func heldUntilThereIsRoom() throws {
        let scratch = Scratch()
        let store = try started(scratch)
        try store.refuseWrites()
        for _ in 0..<3 { try settle(store, at: end) }
        #expect(store.household.people[0].focus.finished == [completed])
        #expect(try store.focusSessions(of: me, limit: 10) == [completed])
        #expect(try store.focusSessions(of: me, from: noon, to: end) == [completed])
        #expect(store.latestFocusSession(of: me) == completed)
        #expect(store.isBehind)
        // The reads above have allowed writes again.
        try store.refuseWrites()
        #expect(throws: StoreError.self) { try store.removeFocusSession(Self.run, of: me) }

        try store.takeWrites()
        store.catchUp(at: end.addingTimeInterval(10))
        #expect(!store.isBehind)
        #expect(store.household.people[0].focus.finished.isEmpty)
        #expect(try scratch.rows() == store.household)
        #expect(try store.allFocusSessions(of: me) == [completed])
        #expect(try store.removeFocusSession(Self.run, of: me) == completed)
        #expect(store.latestFocusSession(of: me) == nil)
    }

    @Test("What waits beside a copy in memory comes to the disk that is opened later")
    func aStandInKeepsWhatWaits() throws {
        let scratch = Scratch()
        try finishUnwritten(scratch)
        #expect(LastKnown.read(directory: scratch.path)?.people[0].focus.finished == [completed])
        let opened = try OpenDatabase(
            standingInFor: scratch.database, directory: scratch.path, after: .diskFull, log: .silent)
        #expect(opened.household.people[0].focus.finished == [completed])
    }

    @Test("The rules last known bring what waits into a new database")
    func damageLosesNothingThatWaits() throws {
        let scratch = Scratch()
        try finishUnwritten(scratch)
        try Data("no database".utf8).write(to: URL(fileURLWithPath: scratch.database))
        let store = try scratch.open(at: end)
        #expect(store.opening.rules == .lastKnown)
        #expect(try store.allFocusSessions(of: me) == [completed])
    }

    @Test func pagesOfTheHistoryNeitherRepeatNorLeaveOut() throws {
        let store = try Scratch().open()
        // Several sessions end at the same instant.
        let all = (0..<23).map { Self.session($0, start: noon.addingTimeInterval(Double($0 / 4) * 60)) }
        #expect(try store.addFocusSessions(all.shuffled(), of: me) == 23)
        #expect(try store.addFocusSessions(all, of: me) == 0)
        var read: [FocusSession] = []
        while true {
            let page = try store.focusSessions(
                of: me, after: read.last.map(FocusCursor.init), limit: 5)
            if page.isEmpty { break }
            read += page
        }
        #expect(read == all.reversed())
        #expect(try store.allFocusSessions(of: me) == all)
        #expect(
            try store.focusSessions(of: me, after: FocusCursor(all[8]), limit: 50) == all[..<8].reversed())
        let minute = all[4].start
        #expect(
            try store.focusSessions(of: me, from: minute, to: minute.addingTimeInterval(60)).map(\.id)
                == all[4..<8].map(\.id))
        #expect(store.latestFocusSession(of: me) == all.last)
    }

    @Test func aHistoryIsItsPersonsAndGoesWithThem() throws {
        let store = try Scratch().open()
        let ada = PersonID(rawValue: 2)
        try store.change { $0.people.append(Person(id: ada, name: "Ada")) }
        #expect(try store.addFocusSessions([Self.session(1)], of: me) == 1)
        #expect(try store.addFocusSessions([Self.session(1)], of: ada) == 1, "the same file, another person")
        #expect(try store.removeFocusSession(Self.session(1).id, of: ada) == Self.session(1))
        #expect(try store.removeFocusSession(Self.session(1).id, of: ada) == nil)
        #expect(try store.addFocusSessions([Self.session(1)], of: ada) == 1, "the undo")
        #expect(throws: Refusal.unknownPerson) {
            try store.addFocusSessions([Self.session(1)], of: PersonID(rawValue: 9))
        }
        try store.change { $0[person: ada] = nil }
        #expect(try store.allFocusSessions(of: ada).isEmpty)
        #expect(try store.allFocusSessions(of: me) == [Self.session(1)])
    }

    @Test func writesOnlyTheRowsThatDiffer() throws {
        let store = try started(Scratch())
        let written = TablesWritten()
        store.queue.inDatabase { written.watch($0) }
        try settle(store, at: noon.addingTimeInterval(59))
        #expect(Set(written.take()) == [], "no write for a second that goes by")
        try settle(store, at: end)
        #expect(Set(written.take()) == ["document", "focus_session"])
        try store.change { try $0.setShieldsWhileFocusing(me, to: true) }
        #expect(Set(written.take()) == ["document"])
    }

    @Test("MF-010, MF-012: the export has the two files as they were")
    func exportedFiles() throws {
        let store = try started(Scratch())
        _ = try store.addFocusSessions([Self.session(7)], of: me)
        let all = try JSONSerialization.jsonObject(with: store.export(at: noon.addingTimeInterval(300)))
        let focus = try #require(((all as? [String: Any])?["focus"] as? [[String: Any]])?.first)
        #expect(focus["person"] as? Int == 1)
        let timer: NSDictionary = ["total": 1_500, "remaining": 1_200, "running": true, "paused": false]
        #expect(focus["timer-state.json"] as? NSDictionary == timer)
        let entry: NSDictionary = [
            "id": Self.session(7).id.uuidString, "start": "2026-11-21T12:00:00Z", "durationSeconds": 1_500,
            "presetLabel": "25m", "completed": true,
        ]
        let sessions = try #require(focus["sessions.json"] as? [NSDictionary])
        #expect(sessions == [entry])
        let file = try JSONSerialization.data(withJSONObject: sessions)
        #expect(try SessionsFile.sessions(file) == [Self.session(7)])
    }
}
