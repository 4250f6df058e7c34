import Foundation
import LocalNetwork
import Logging
import Policy
import Shield
import Store

extension House {
    /// Listens on addresses that come (a lease, a cable), lets go of those that went, and asks again every few seconds
    /// for what was refused: an IPv6 address that the kernel still checks, a port that another program gives up.
    func watchAddresses() async {
        var current = listening
        var asked = clock.now()
        while !Task.isCancelled {
            await clock.sleep(clock.now().addingTimeInterval(1))
            let next = listeningNow
            presentItself(next)
            let now = clock.now()
            let asksAgain = !condition.refused.isEmpty && abs(now.timeIntervalSince(asked)) >= Self.patience
            guard next != current || asksAgain else { continue }
            if next != current {
                logger.notice(
                    "Addresses changed", metadata: ["now": "\(next.addresses.joined(separator: " "))"])
                if let advice = next.advice, advice != current.advice { logger.notice("\(advice)") }
            }
            (current, asked) = (next, now)
            await desk.move(to: next)
            note(await door.rebind(addresses: next.addresses, admits: next.admits))
        }
    }

    /// Seconds between two attempts at what was refused.
    private static let patience: TimeInterval = 3

    /// The machine's clock, which no strict session believes at once.
    static func steadyClock(_ store: HouseholdStore, _ machine: Machine) -> SteadyClock {
        SteadyClock(
            MachineClock.wall(notBefore: store.lastInstant, isSynchronised: machine.isClockSynchronised),
            start: machine.boot.flatMap(store.start), isSynchronised: machine.isClockSynchronised,
            isHeld: { store.household.people.contains { $0.session?.strictness == .strict } })
    }

    /// Notes when this boot began where that is news by a second or more, for a process that comes after this one.
    private func noteBoot(_ known: inout Date?) {
        guard let boot = machine.boot, let start = steadyClock?.start,
            known.map({ abs($0.timeIntervalSince(start)) >= 1 }) ?? true
        else { return }
        do {
            try store.setStart(ofBoot: boot, to: start)
            known = start
        } catch { logger.debug("When this machine was started could not be noted: \(error)") }
    }

    /// The watchdog's sign of life, the household's suggestions where their file changed, a short write-ahead log, freed
    /// memory once a minute, and one backup a day.
    func keepHouse() async {
        var tried = Date.distantPast
        var boot = machine.boot.flatMap(store.start)
        var rounds = 0
        while !Task.isCancelled {
            await clock.sleep(clock.now().addingTimeInterval(1))
            rounds += 1
            if rounds.isMultiple(of: 60) { FreedMemory.giveBack() }
            machine.notify(.watchdog)
            suggestions.refresh()
            store.shortenLog()
            noteBoot(&boot)
            let now = clock.now()
            guard now.timeIntervalSince(tried) > 3600 || now < tried else { continue }
            tried = now
            do {
                try store.backUpDaily(at: now)
                condition.backupFailure = nil
            } catch {
                condition.backupFailure = "\(error)"
                logger.error("The daily backup failed", metadata: ["error": "\(error)"])
            }
        }
    }
}
