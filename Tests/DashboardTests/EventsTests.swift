import Dashboard
import Foundation
import NIOCore
import Policy
import Store
import Synchronization
import Testing

/// `/events` over real connections, with a clock that the test moves.
@Suite(.timeLimit(.minutes(1))) struct EventsTests {
    private func snapshot(_ house: TestHouse, revision: Int) -> Snapshot {
        let household = house.store.household
        return Snapshot(
            revision: revision, householdRevision: revision, instant: house.clock.now, household: household,
            catalog: TestHouse.catalog,
            verdicts: household.evaluate(at: house.clock.now))
    }

    private func watching(
        _ house: TestHouse, _ test: @Sendable (LiveHouse, Wire) async throws -> Void
    ) async throws {
        let live = try await LiveHouse(house)
        let token = try house.store.createLogin(at: house.clock.now).token
        let wire = try await live.get("/events", cookie: token)
        await wire.until("event: state")
        try await test(live, wire)
        try await live.stop()
    }

    @Test("The whole state comes at connect, with its headers")
    func stateAtConnect() async throws {
        let house = try TestHouse()
        try await watching(house) { _, wire in
            let text = wire.text.lowercased()
            #expect(text.hasPrefix("http/1.1 200 ok"))
            #expect(text.contains("content-type: text/event-stream; charset=utf-8"))
            #expect(text.contains("x-accel-buffering: no"))
            #expect(text.contains("date: fri, 20 nov 2026 19:00:00 gmt"))
            #expect(text.contains("cache-control: no-store"))
            #expect(wire.text.contains("id: 0\nevent: state\ndata: {\"revision\":0,"))
            #expect(wire.text.contains("\"devices\":{\"enrolled\":1,\"recent\":1},\"session\":null"))
        }
    }

    @Test("SI-160: ticks come just after endsAt - k seconds, and count down")
    func ticks() async throws {
        let house = try TestHouse()
        try await watching(house) { live, wire in
            try house.start(.flexible, minutes: 30)
            house.site.publish(snapshot(house, revision: 1))
            await wire.until("\"revision\":1")
            await house.clock.untilSomebodySleeps()
            house.clock.advance(by: 1)
            await wire.until("\"remaining\":1799,\"cancelRemaining\":null,\"focusRemaining\":null")
            await house.clock.untilSomebodySleeps()
            // Between two seconds nothing is sent.
            let before = wire.text.components(separatedBy: "event: tick").count
            house.clock.advance(by: 0.5)
            await Task.yield()
            #expect(wire.text.components(separatedBy: "event: tick").count == before)
            house.clock.advance(by: 0.5)
            await wire.until("\"remaining\":1798")
            _ = live
        }
    }

    @Test("A second that passes between a state and the next look is told")
    func lateLook() async throws {
        let house = try TestHouse()
        let live = try await LiveHouse(house, isRunning: false)
        let token = try house.store.createLogin(at: house.clock.now).token
        let wire = try await live.get("/events", cookie: token)
        await wire.until("event: state")
        try house.start(.flexible, minutes: 30)
        house.site.publish(snapshot(house, revision: 1))
        house.clock.advance(by: 1)
        live.run()
        await wire.until("\"remaining\":1799")
        try await live.stop()
    }

    @Test("AR-051: an override stands in the state and counts each second")
    func overrideCounts() async throws {
        let house = try TestHouse(people: [AntiRotHomeTests.person()])
        try await watching(house) { _, wire in
            let closed = "\"antiRot\":{\"status\":\"BLOCKED\",\"until\":\"2026-11-21T11:00:00Z\","
            #expect(wire.text.contains(closed + "\"override\":{\"available\":true,\"expiresAt\":null}}"))
            try house.store.change { household in
                try household.activateOverride(household.people[0].id, at: house.clock.now)
            }
            house.site.publish(snapshot(house, revision: 1))
            let open = "\"antiRot\":{\"status\":\"ALLOWED\",\"until\":\"2026-11-20T19:45:00Z\","
            await wire.until(open)
            await wire.until("\"override\":{\"available\":false,\"expiresAt\":\"2026-11-20T19:45:00Z\"}}")
            await house.clock.untilSomebodySleeps()
            house.clock.advance(by: 1)
            await wire.until("\"remaining\":null,\"cancelRemaining\":null")
            await wire.until("\"overrideRemaining\":2699")
        }
    }

    @Test("SI-007: a cancel counts beside the session")
    func cancelCounts() async throws {
        let house = try TestHouse()
        try house.start(.flexible, minutes: 30)
        try await watching(house) { _, wire in
            try house.store.change { household in
                try household.beginCancel(household.people[0].id, at: house.clock.now)
            }
            house.site.publish(snapshot(house, revision: 1))
            await wire.until("\"cancelsAt\":\"2026")
            await house.clock.untilSomebodySleeps()
            house.clock.advance(by: 1)
            await wire.until("\"remaining\":1799,\"cancelRemaining\":29")
        }
    }

    @Test("Nothing counts, nothing ticks; a comment comes every two seconds")
    func comments() async throws {
        let house = try TestHouse()
        try await watching(house) { _, wire in
            for _ in 0..<2 {
                await house.clock.untilSomebodySleeps()
                house.clock.advance(by: 1)
            }
            await wire.until(": \n\nevent: ping\n")
            #expect(!wire.text.contains("event: tick"))
        }
    }

    @Test("A comment goes out with the tick of its second, and once")
    func commentsBesideTicks() async throws {
        let house = try TestHouse()
        try await watching(house) { _, wire in
            try house.start(.flexible, minutes: 30)
            house.site.publish(snapshot(house, revision: 1))
            await wire.until("\"revision\":1")
            for second in 1...5 {
                await house.clock.untilSomebodySleeps()
                house.clock.advance(by: 1)
                await wire.until("\"remaining\":\(1800 - second)")
            }
            let events = wire.text.matches(of: /event: (\w+)/).map { String($0.1) }
            #expect(events == ["state", "state", "tick", "tick", "ping", "tick", "tick", "ping", "tick"])
        }
    }

    @Test("Without a login the asking device's person gets clock and countdown only")
    func publicCountdown() async throws {
        let device = Device(
            id: DeviceID(rawValue: 1), name: "Kiosk", person: PersonID(rawValue: 1), addresses: ["127.0.0.1"],
            firstSeen: TestHouse.evening, lastSeen: TestHouse.evening)
        let house = try TestHouse(devices: [device])
        try house.start()
        let live = try await LiveHouse(house)
        let wire = try await live.get("/events")
        await wire.until("event: state")
        #expect(wire.text.contains("\"devices\":null,\"session\":{\"id\""))
        #expect(wire.text.contains("\"schedule\":null"))
        try await live.stop()
    }

    @Test("A stranger without a login gets 401", arguments: ["/events", "/state"])
    func strangers(_ path: String) async throws {
        let live = try await LiveHouse(try TestHouse(devices: []))
        let wire = try await live.get(path)
        await wire.until("\r\n\r\n")
        #expect(wire.text.hasPrefix("HTTP/1.1 401"))
        try await live.stop()
    }

    @Test("The same state comes once, for whom the stream is cut off")
    func once() async throws {
        let house = try TestHouse()
        let live = try await LiveHouse(house)
        let token = try house.store.createLogin(at: house.clock.now).token
        let mine = try await live.get("/state", cookie: token)
        await mine.until("\"focus\":{")
        #expect(
            mine.text.contains(
                "\r\n\r\n{\"revision\":0,\"now\":\"2026-11-20T19:00:00Z\",\"zone\":\"Europe/Berlin\",\"person\":1,"
            ))
        #expect(mine.text.contains("\"devices\":{\"enrolled\":1,\"recent\":1},\"session\":null"))
        try await live.stop()
    }

    @Test("Of somebody who was removed the stream ends, and another's goes on")
    func removed() async throws {
        let ada = PersonID(rawValue: 2)
        let house = try TestHouse(people: [
            Person(id: PersonID(rawValue: 1), name: "Me"), Person(id: ada, name: "Ada"),
        ])
        try await watching(house) { live, wire in
            let token = try house.store.createLogin(at: house.clock.now).token
            let hers = try await live.get("/events?person=2", cookie: token)
            await hers.until("event: state")
            try house.store.change { try $0.removePerson(ada, at: house.clock.now) }
            house.site.feed.publish(snapshot(house, revision: 7))
            await hers.untilClosed()
            await wire.until("id: 7")
        }
    }

    @Test("A viewer that leaves gives its place back at once")
    func leaving() async throws {
        let house = try TestHouse(viewers: .init(total: 1, perHolder: 1))
        try await watching(house) { live, wire in
            #expect(house.site.feed.viewers.total == 1)
            let token = try house.store.createLogin(at: house.clock.now).token
            let refused = try await live.get("/events", cookie: token)
            await refused.until("\r\n\r\n")
            #expect(refused.text.hasPrefix("HTTP/1.1 503"))
            try await wire.close()
            while house.site.feed.viewers.total > 0 { await Task.yield() }
            let second = try await live.get("/events", cookie: token)
            await second.until("event: state")
        }
    }

    @Test("A stop ends every stream, and says so")
    func stopping() async throws {
        let house = try TestHouse()
        let live = try await LiveHouse(house)
        let token = try house.store.createLogin(at: house.clock.now).token
        var wires: [Wire] = []
        for _ in 0..<20 { wires.append(try await live.get("/events", cookie: token)) }
        for wire in wires { await wire.until("event: state") }
        try await live.stop()
        for wire in wires {
            await wire.untilClosed()
            #expect(wire.text.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test("An older snapshot never replaces a newer one")
    func orderOfSnapshots() throws {
        let house = try TestHouse()
        house.site.publish(snapshot(house, revision: 2))
        house.site.publish(snapshot(house, revision: 1))
        #expect(house.site.feed.snapshot.revision == 2)
    }

    @Test("Bodies and pages share a connection")
    func keepAlive() async throws {
        let live = try await LiveHouse(try TestHouse())
        let wire = try await live.get("/healthz")
        await wire.until("\"refused\":[]}")
        let channel = wire.channel.withLock { $0 }
        try await channel?.writeAndFlush(
            ByteBuffer(string: "GET /login HTTP/1.1\r\nHost: sleep.home.arpa\r\n\r\n"))
        await wire.until("</html>")
        try await channel?.writeAndFlush(
            ByteBuffer(string: "GET /login HTTP/1.1\r\nHost: tiktok.com\r\n\r\n"))
        await wire.until("HTTP/1.1 421")
        try await live.stop()
    }
}
