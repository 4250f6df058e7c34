import Foundation
import Testing

@testable import Policy

@Suite("What time it is, on a clock that jumps while a strict session runs or starts in the past")
struct SteadyTimeTests {
    private static let start = at("2026-11-21T22:00:00Z")
    private static let day: TimeInterval = 86_400

    /// A machine whose clock is off by as much as a test says.
    private struct Machine {
        var time = SteadyTime()
        var uptime: TimeInterval = 100
        var isHeld = true
        var isSynchronised = false

        /// The time that holds, in seconds after the right time.
        mutating func ask(ahead: TimeInterval = 0) -> TimeInterval {
            let right = start + uptime - 100
            return time.now(right + ahead, uptime: uptime, isSynchronised: isSynchronised, isHeld: isHeld)
                .timeIntervalSince(right)
        }

        /// The last of many answers, one each second.
        mutating func pass(_ seconds: Int, ahead: TimeInterval = 0) -> TimeInterval {
            var answer: TimeInterval = 0
            for _ in 0..<seconds {
                uptime += 1
                answer = ask(ahead: ahead)
            }
            return answer
        }
    }

    @Test("A day ahead for seconds, and for hours") func jump() {
        var machine = Machine()
        #expect(machine.ask() == 0)
        #expect(machine.pass(3, ahead: Self.day) == 0)
        #expect(machine.pass(3) == 0)
        #expect(machine.pass(7200, ahead: Self.day) == 0)
        #expect(machine.pass(1) == 0)
    }

    @Test("A clock that the kernel called synchronised for ten minutes is trusted") func synchronised() {
        var machine = Machine()
        _ = machine.ask()
        _ = machine.pass(3600, ahead: Self.day)
        machine.isSynchronised = true
        #expect(machine.pass(600, ahead: Self.day) == 0, "it has been so for less")
        #expect(machine.pass(1, ahead: Self.day) == Self.day)
        #expect(machine.pass(1, ahead: Self.day) == Self.day)
    }

    @Test(
        "A clock that goes back is not followed either",
        arguments: [-3600, -7200, -25 * 3600, -2 * day, -40_000 * day] as [TimeInterval])
    func behind(_ ahead: TimeInterval) {
        var machine = Machine()
        machine.isSynchronised = true
        _ = machine.ask()
        #expect(machine.pass(3, ahead: ahead) == 0)
        #expect(machine.pass(3) == 0)
        #expect(machine.pass(600, ahead: ahead) == 0)
        #expect(machine.pass(1, ahead: ahead) == ahead, "it has held for ten minutes")
    }

    @Test(
        "A clock that is behind and not synchronised is never followed, and one that goes to and fro is not")
    func neverSynchronised() {
        var machine = Machine()
        _ = machine.ask()
        #expect(machine.pass(7200, ahead: -3600) == 0)
        machine.isSynchronised = true
        for _ in 0..<5 {
            #expect(machine.pass(400, ahead: -3600) == 0)
            #expect(machine.pass(400, ahead: 3600) == 0)
        }
    }

    @Test("Without a strict session every clock is followed at once, and a session starts by it")
    func notHeld() {
        var machine = Machine()
        machine.isHeld = false
        _ = machine.ask()
        #expect(machine.pass(1, ahead: Self.day) == Self.day)
        machine.isHeld = true
        #expect(machine.pass(60, ahead: Self.day) == Self.day)
        #expect(machine.pass(60, ahead: 2 * Self.day) == Self.day)
    }

    @Test("After a restart during the jump, the server goes on with the time that it knew") func restarted() {
        var machine = Machine()
        _ = machine.ask()
        _ = machine.pass(60, ahead: Self.day)
        machine.time = SteadyTime(start: machine.time.start)
        #expect(machine.pass(60, ahead: Self.day) == 0)
        #expect(machine.pass(1) == 0)
    }

    @Test("After a reboot in a strict session, a clock that is behind what was noted must hold as well")
    func rebooted() {
        var machine = Machine()
        machine.time = SteadyTime(notBefore: Self.start, uptime: machine.uptime)
        machine.isSynchronised = true
        #expect(machine.ask(ahead: -Self.day) == 0)
        #expect(machine.pass(599, ahead: -Self.day) == 0)
        #expect(machine.pass(1, ahead: -Self.day) == -Self.day)
        machine.time = SteadyTime(notBefore: Self.start - Self.day, uptime: machine.uptime)
        #expect(machine.ask() == 0, "the clock went on while the machine was off")
    }

    @Test("Synchronised for a moment, again and again, does not count as ten minutes") func moments() {
        var machine = Machine()
        _ = machine.ask()
        for _ in 0..<30 {
            machine.isSynchronised = true
            #expect(machine.pass(30, ahead: Self.day) == 0)
            machine.isSynchronised = false
            #expect(machine.pass(30, ahead: Self.day) == 0)
        }
    }

    @Test("A jump on a clock that has been synchronised for hours must hold as well")
    func synchronisedBefore() {
        var machine = Machine()
        machine.isSynchronised = true
        #expect(machine.pass(7200) == 0)
        #expect(machine.pass(600, ahead: Self.day) == 0)
        #expect(machine.pass(1, ahead: Self.day) == Self.day)
    }

    @Test("A small step that held does not vouch for a jump after it") func anotherClaim() {
        var machine = Machine()
        machine.isSynchronised = true
        #expect(machine.pass(1) == 0)
        for _ in 0..<59 { #expect(machine.pass(10, ahead: 1) == 0) }
        #expect(machine.pass(10, ahead: Self.day) == 0)
        #expect(machine.pass(600, ahead: Self.day) == Self.day)
    }

    @Test("A clock that is right by less than what counts as a jump begins no ten minutes") func trifle() {
        var machine = Machine()
        machine.isSynchronised = true
        #expect(machine.pass(7200, ahead: 0.05) <= 0.05)
        #expect(machine.pass(60, ahead: Self.day) <= 0.05)
    }

    @Test(
        "A machine without a battery starts in the past: it is never before the last instant that was noted")
    func battery() {
        var machine = Machine()
        machine.isHeld = false
        machine.time = SteadyTime(notBefore: Self.start + 60, uptime: 100)
        #expect(machine.ask(ahead: -Self.day) == 60)
        #expect(machine.pass(600, ahead: -Self.day) == 60, "it goes on from there")
        #expect(machine.pass(1, ahead: 120) == 120, "a clock that is later is believed")
        #expect(machine.pass(1, ahead: -Self.day) == -Self.day, "and not held again")
        machine.time = SteadyTime(notBefore: Self.start + 60, uptime: machine.uptime)
        #expect(machine.ask(ahead: -Self.day) == 60 - (machine.uptime - 100))
        machine.isSynchronised = true
        #expect(machine.pass(1, ahead: -Self.day) == -Self.day, "whatever a synchronised one says")
        machine.isSynchronised = false
        #expect(machine.pass(1, ahead: -Self.day) == -Self.day)
    }
}
