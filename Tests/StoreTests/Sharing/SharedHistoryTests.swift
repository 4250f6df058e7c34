import Foundation
import GRDB
import Policy
import Synchronization
import Testing

@testable import Store

/// The history is the same on all machines, whatever each of them noted alone and in whatever order it heard.
struct SharedHistoryTests {
    private let table = SharedTableOfNodes()

    @Test("Of several ends of one session, the earliest holds on all machines")
    func earliest() throws {
        let id = UUID()
        func past(_ minutes: Double, _ outcome: PastSession.Outcome) -> PastSession {
            PastSession(
                id: id, person: me, mode: .manual(durationMinutes: 60), strictness: .strict,
                startedAt: noon, endsAt: noon + 3600, night: nil, outcome: outcome,
                endedAt: noon + minutes * 60)
        }
        func focus(_ minutes: Double) -> FocusSession {
            FocusSession(
                id: id, start: noon, end: noon + minutes * 60, durationSeconds: Int(minutes) * 60,
                presetLabel: nil, completed: false)
        }
        let ends = [past(20, .cancelled), past(10, .reset), past(30, .reset)]
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let store = try HouseholdStore.inMemory(Household.new(timeZone: "Europe/Berlin"))
            for index in order {
                try store.queue.write { db in
                    try PastSessionRecord.write(db, ends[index])
                    try FocusSessionRecord.add(db, focus(Double(10 * (index + 1))), of: me)
                }
            }
            #expect(try store.pastSessions(of: me) == [ends[1]])
            #expect(try store.focusSessions(of: me, from: noon - 1, to: noon + 9_999) == [focus(10)])
            let held = order.reduce(Held()) { $0.adding([], [ends[$1]]) }
            #expect(held.past == [ends[1]])
        }
    }

    @Test("A past session that was heard on a full disk is there when it has room")
    func heardOnAFullDisk() throws {
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        try a.store.change { $0.people[0].session = .example() }
        try b.hear()
        try b.store.refuseWrites()
        try a.store.change { household, log in
            log.append(LogEntry(try household.emergencyReset(me, at: noon + 60)))
        }
        try b.hear()
        try b.store.takeWrites()
        b.store.catchUp(at: noon)
        #expect(try b.store.pastSessions(of: me) == a.store.pastSessions(of: me))
        #expect(try b.store.pastSessions(of: me).map(\.outcome) == [.reset])
    }

    @Test("Held lines of a person who is removed meanwhile are nobody's")
    func removed() throws {
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        let mia = Person(id: try a.store.newPersonID(), name: "Mia")
        try a.store.change { $0.people.append(mia) }
        try b.hear()
        try b.store.refuseWrites()
        try b.store.change(keeping: .evenInMemory) { _, log in
            log.append(LogEntry(.helpUsed, person: mia.id, at: noon, detail: "of Mia"))
        }
        try a.hear()
        try a.store.change { $0.people.removeAll { $0.id == mia.id } }
        try b.hear()
        try b.store.takeWrites()
        b.store.catchUp(at: noon)
        #expect(!b.store.isBehind)
        for node in [a, b] { #expect(try node.store.log(of: nil).allSatisfy { $0.detail != "of Mia" }) }
    }

    @Test("As many lines are kept of each person, also for a machine that joins")
    func ofEachPerson() throws {
        let a = try SharingNode(table, 0)
        let mia = Person(id: try a.store.newPersonID(), name: "Mia")
        func lines(_ person: PersonID, _ count: Int) -> [LogEntry] {
            (0..<count).map {
                LogEntry(.ruleChanged, person: person, at: noon + Double($0), detail: "\($0)")
            }
        }
        try a.store.change { household, log in
            household.people.append(mia)
            log += lines(me, 3_000) + lines(mia.id, 3_000)
        }
        let late = try SharingNode(table, 1)
        for person in [me, mia.id] {
            #expect(try late.store.log(of: person, limit: 9_999).count == 3_000)
        }
        let many = lines(me, 10) + lines(mia.id, EventLog.limit + 10)
        let newest = EventLog.newest(many)
        #expect(newest.count == EventLog.limit + 10 && newest.count { $0.person == me } == 10)
        #expect(newest.last == many.last)
    }
}
