import Enforcement
import Foundation
import LocalNetwork
import Logging
import Policy
import Shield
import Sockets
import Store

/// What keeps a house in order and remembers something from one time to the next.
actor Upkeep {
    private let house: House
    private var listening: Listening
    private var isListening = false
    /// When this boot began, as it was noted last.
    private var start: Date?

    init(_ house: House) {
        self.house = house
        listening = house.listening
        start = house.machine.boot.flatMap(house.store.start)
    }

    /// Listens on addresses that came, and lets go of those that went.
    func followAddresses() async {
        let next = house.listeningNow
        house.presentItself(next)
        guard next != listening else { return }
        house.logger.notice(
            "Addresses changed", metadata: ["now": "\(next.addresses.joined(separator: " "))"])
        if let advice = next.advice, advice != listening.advice { house.logger.notice("\(advice)") }
        await listen(on: next)
    }

    /// Asks again for what was refused.
    func insist() async {
        if !house.condition.refused.isEmpty { await listen(on: house.listeningNow) }
    }

    /// One at a time: two at once would each take the other's sockets for another program's.
    private func listen(on next: Listening) async {
        guard !isListening else { return }
        isListening = true
        defer { isListening = false }
        listening = next
        await house.desk.move(to: next)
        house.note(await house.door.rebind(addresses: next.addresses, admits: next.admits))
    }

    /// Notes when this boot began where that is news by a second or more.
    func noteBoot() {
        guard let boot = house.machine.boot, let known = house.steadyClock.start,
            start.map({ abs($0.timeIntervalSince(known)) >= 1 }) ?? true
        else { return }
        do {
            try house.store.setStart(ofBoot: boot, to: known)
            start = known
        } catch { house.logger.debug("When this machine was started could not be noted: \(error)") }
    }
}

extension House {
    /// The machine's clock, as far as a household believes it.
    static func steadyClock(_ store: HouseholdStore, _ machine: Machine) -> SteadyClock {
        SteadyClock(
            start: machine.boot.flatMap(store.start), notBefore: store.lastInstant,
            isSynchronised: machine.isClockSynchronised,
            isHeld: { store.household.people.contains { $0.session?.strictness == .strict } })
    }

    func noteInstant() {
        do { try store.setLastInstant(clock.now()) } catch {
            logger.warning("The time could not be noted", metadata: ["error": "\(error)"])
        }
    }

    /// Lets go of what is old, as far as this machine knows what is.
    func forget() {
        let (now, isSynchronised) = (clock.now(), machine.isClockSynchronised())
        usage.forget(at: now, isSynchronised: isSynchronised)
        do { try store.forget(at: now, isSynchronised: isSynchronised) } catch {
            logger.warning("What is old could not be removed", metadata: ["error": "\(error)"])
        }
    }

    func backUp() {
        do {
            try store.backUpDaily(at: clock.now(), isSynchronised: machine.isClockSynchronised())
            condition.backupFailure = nil
        } catch {
            condition.backupFailure = "\(error)"
            logger.error("The daily backup failed", metadata: ["error": "\(error)"])
        }
    }
}
