import DNS
import Dashboard
import Enforcement
import LocalNetwork
import Policy
import Store
import Watch

extension House {
    /// All that this house does again and again: how often, what, and why.
    ///
    /// What is due at an instant of the wall clock is the monitor's, and timers of connections are their event loops'.
    func chores(_ rounds: Rounds) -> [Chore] {
        let (machine, store) = (ground.machine, ground.store)
        let always: [Chore] = [
            // systemd starts a server anew that shows no sign of life.
            .every(.seconds(1)) { machine.notify(.watchdog) },
            // Who asked, what was refused and used: a limit that is reached holds within a second (TH-008).
            .every(.seconds(1)) { await rounds.make() },
            // A lease or a cable brings another address, and devices ask there.
            .every(.seconds(1)) { [presence] in await presence.followAddresses() },
            // IPv6 addresses that the kernel still checks, ports that another program gives up.
            .every(.seconds(3)) { [presence] in await presence.insist() },
            // The household may write its suggestions with an editor.
            .every(.seconds(1)) { [suggestions = ground.suggestions] in suggestions.refresh() },
            // Once a change is in the database itself and not only in its log, a damaged bit undoes no more than it
            // hits.
            .every(.seconds(1)) { store.shortenLog() },
            // A process that comes after this one goes on by the time that this one believes.
            .every(.seconds(1)) { [upkeep, ground] in await upkeep.noteBoot(ground.steadyClock.start) },
            // A machine without a battery wakes up in the past; time goes on from here.
            .every(.seconds(60), from: .zero) { [upkeep] in upkeep.noteInstant() },
            // The disk that refused something may have room by now.
            .every(.seconds(10)) { [monitor] in await monitor.askDiskAgain() },
            // A power cut costs a minute of use at the most.
            .every(.seconds(60), from: .seconds(60)) { [usage] in usage.write() },
            // New devices get their names soon after they are seen; each is asked for rarely (`NameSchedule`).
            .every(.seconds(5)) { [names] in await names.look() },
            // Space, addresses, clock and backups can change behind the household's back.
            .every(.seconds(10)) { [watch] in await watch.look() },
            // An upstream may have fallen silent, or ask this server by now.
            .every(.seconds(60), from: .seconds(60)) { [watch] in
                await watch.ask()
                await watch.look()
            },
            // Another DNS server on the network is a way around.
            .every(.seconds(3600), from: .seconds(60)) { [watch] in await watch.search() },
            // The first backup of each day is kept. If it fails, the next is tried within the hour.
            .every(.seconds(3600)) { [upkeep] in upkeep.backUp() },
            // Log, minutes and questions go by age, or by count while the clock is not synchronised.
            .every(.seconds(3600)) { [upkeep] in upkeep.forget() },
            // The start or a burst leaves memory that nobody needs and the allocator keeps.
            .every(.seconds(60), from: .seconds(2)) { FreedMemory.giveBack() },
        ]
        return always + (gateway.map(Self.chores(of:)) ?? [])
    }

    private static func chores(of gateway: Gateway) -> [Chore] {
        [
            // Addresses that were answered for what is closed are closed too.
            .every(.seconds(1)) { gateway.wake() },
            // An allowed name on an address that is closed waits for the look.
            .every(.milliseconds(100)) { if await gateway.isClosing { gateway.wake() } },
            // Somebody's firewall may have been loaded anew, and answers are forgotten after an hour.
            .every(.seconds(10)) { await gateway.becomeDue() },
        ]
    }
}
