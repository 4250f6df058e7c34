import Foundation
import Policy
import Testing

@testable import Store

@Suite struct ChangesTests {
    @Test func theFirstIsTheCurrentOneAndEachCommitFollows() async throws {
        let store = try Scratch().open()
        var changes = store.changes().makeAsyncIterator()
        #expect(await changes.next() == store.household)
        try store.change { $0.people[0].name = "Ada" }
        #expect(await changes.next()?.people[0].name == "Ada")
    }

    @Test func aSlowReaderGetsTheNewestOnly() async throws {
        let store = try Scratch().open()
        var changes = store.changes().makeAsyncIterator()
        for number in 1...10 { try store.change { $0.people[0].name = "\(number)" } }
        #expect(await changes.next()?.people[0].name == "10")
    }

    @Test func whatChangedNothingIsNotTold() async throws {
        let store = try Scratch().open()
        var changes = store.changes().makeAsyncIterator()
        _ = await changes.next()
        try store.change { _ in }
        try? store.change { household in
            household.people = []
        }
        try store.change { $0.people[0].name = "next" }
        #expect(await changes.next()?.people[0].name == "next")
    }

    @Test func theyEndWithTheStore() async throws {
        var store: HouseholdStore? = try Scratch().open()
        let changes = store!.changes()
        store = nil
        var count = 0
        for await _ in changes { count += 1 }
        #expect(count <= 1)
    }

    @Test func fiftyAtOnceAreOneAfterTheOther() async throws {
        let scratch = Scratch()
        let store = try scratch.open()
        await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...50 {
                group.addTask {
                    try store.change { household, log in
                        let id = DeviceID(rawValue: Int64(household.devices.count + 1))
                        var device = Device.example(Int64(number))
                        device = Device(
                            id: id, name: device.name, addresses: device.addresses, firstSeen: noon,
                            lastSeen: noon)
                        household.devices.append(device)
                        log.append(LogEntry(.ruleChanged, person: me, at: noon, detail: "\(number)"))
                    }
                }
            }
        }
        #expect(Set(store.household.devices.map(\.name)) == Set((1...50).map { "Device \($0)" }))
        #expect(Set(try store.log(of: me, limit: 100).map(\.detail)) == Set((1...50).map(String.init)))
    }

    /// A person has one session at a time: of fifty presses on Start, only one succeeds.
    @Test func ofFiftyStartsOneWins() async throws {
        struct Running: Error {}
        let store = try Scratch().open()
        let won = await withTaskGroup(of: UUID?.self) { group in
            for _ in 1...50 {
                group.addTask {
                    try? store.change { household in
                        guard household.people[0].session == nil else { throw Running() }
                        let session = SleepSession.example()
                        household.people[0].session = session
                        return session.id
                    }
                }
            }
            return await group.reduce(into: [UUID]()) { if let id = $1 { $0.append(id) } }
        }
        #expect(won.count == 1)
        #expect(store.household.people[0].session?.id == won.first)
    }
}
