import Foundation
import Testing

@testable import Policy

@Suite("A clock is trusted as far as uptime explains it, or when it has held")
struct TrustedTimeTests {
    private static let start = at("2026-11-21T12:00:00Z")
    private static let weeks: TimeInterval = 20 * 86_400

    /// A machine whose clock is off by as much as a test says.
    private struct Machine {
        var time: TrustedTime
        var uptime: TimeInterval = 100
        var isSynchronised = false

        /// - Parameter ahead: how many seconds the clock is ahead during this time.
        mutating func pass(_ seconds: TimeInterval, ahead: TimeInterval = 0) {
            for second in stride(from: 0, through: seconds, by: 60) { note(uptime + second, ahead) }
            uptime += seconds
        }

        private mutating func note(_ uptime: TimeInterval, _ ahead: TimeInterval) {
            time.note(start + uptime - 100 + ahead, uptime: uptime, isSynchronised: isSynchronised)
        }

        /// The trusted time, in seconds after the right time.
        var isAhead: TimeInterval? { time.instant?.timeIntervalSince(start + uptime - 100).rounded() }
    }

    @Test("If nothing was ever noted, there is nothing to forget, and the clock is trusted")
    func first() {
        #expect(TrustedTime().instant == nil)
        var machine = Machine(time: TrustedTime())
        machine.pass(0)
        #expect(machine.isAhead == 0)
        machine.pass(30 * 86_400)
        #expect(machine.isAhead == 0, "uptime explains it")
    }

    @Test("A jump forward is trusted after a day of uptime", arguments: [false, true])
    func aDay(isSynchronised: Bool) {
        let patience = isSynchronised ? TrustedTime.patienceIfSynchronised : TrustedTime.patience
        var machine = Machine(time: TrustedTime(Self.start), isSynchronised: isSynchronised)
        machine.pass(60)
        machine.pass(patience - 60, ahead: Self.weeks)
        #expect(machine.isAhead == 0)
        machine.pass(60, ahead: Self.weeks)
        #expect(machine.isAhead == Self.weeks)
        machine.pass(60)
        #expect(machine.isAhead == 0, "a clock that is put right is followed at once")
    }

    @Test("A clock that jumps back and forth has not held")
    func toAndFro() {
        var machine = Machine(time: TrustedTime(Self.start))
        for _ in 0..<10 {
            machine.pass(23 * 3600, ahead: Self.weeks)
            machine.pass(60, ahead: Self.weeks / 2)
            #expect(machine.isAhead == 0)
            machine.pass(60)
        }
    }

    @Test("Ten minutes count while the kernel calls the clock synchronised, and end when it stops")
    func notAnyMoreSynchronised() {
        var machine = Machine(time: TrustedTime(Self.start), isSynchronised: true)
        machine.pass(540, ahead: Self.weeks)
        machine.isSynchronised = false
        machine.pass(3600, ahead: Self.weeks)
        #expect(machine.isAhead == 0)
    }

    @Test("Switched off for weeks: the old time holds until the clock that a restart finds has held")
    func restarted() {
        var machine = Machine(time: TrustedTime(Self.start - Self.weeks), isSynchronised: true)
        machine.pass(540)
        #expect(machine.isAhead == -Self.weeks)
        machine.pass(60)
        #expect(machine.isAhead == 0)
    }
}
