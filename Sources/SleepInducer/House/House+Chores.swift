import Cluster
import DNS
import Dashboard
import Enforcement
import LocalNetwork
import Policy
import Store

extension House {
    /// Everything that this house does repeatedly: how often, what, and why.
    ///
    /// The monitor does what is due at an instant of the wall clock. Each event loop has the timers of its connections.
    func chores(_ rounds: Rounds) -> [Chore] {
        let (machine, store) = (ground.machine, ground.store)
        let always: [Chore] = [
            // systemd restarts a server that shows no sign of life for 30 seconds (`WatchdogSec` of the unit). This thread
            // alone proves nothing: the sign comes from those that serve.
            .every(.seconds(10)) { [group = ground.group] in
                await SignOfLife.shown(by: group)
                machine.notify(.watchdog)
            }.only { SystemdNotice.isHeard },
            // New questions, refusals and use: a limit must apply within a second after it is reached.
            .every(.seconds(1)) { await rounds.make() }.only { rounds.areDue },
            // A lease or a cable can bring another address, at which devices then ask.
            .every(.seconds(1)) { [presence] in await presence.followAddresses() }
                .only { [presence] in presence.hasMoved },
            // A lease can bring other servers, search domains and another host name.
            .every(.seconds(3)) { [presence] in await presence.followNetwork() }
                .only { [presence] in presence.isToldAnew },
            // The kernel may have finished its check of an IPv6 address, and another program may have released a port.
            .every(.seconds(3)) { [presence] in await presence.insist() }
                .only { [presence] in presence.wasRefused },
            // The household may write its suggestions with an editor.
            .every(.seconds(3), isLong: true) { [suggestions = ground.suggestions] in suggestions.refresh() }
                .only { [suggestions = ground.suggestions] in suggestions.isStale },
            // Once a change is in the database itself and not only in its log, a damaged bit undoes no more than it
            // hits.
            .every(.seconds(1), isLong: true) { store.shortenLog() }.only { store.isLogLong },
            // The next process of this boot continues from the time that this process believes.
            .every(.seconds(1), isLong: true) { [upkeep, ground] in upkeep.noteBoot(ground.steadyClock.start)
            }
            .only { [upkeep, ground] in upkeep.isNews(ground.steadyClock.start) },
            // The certificate may end.
            .every(.seconds(60), isLong: true) { [presence] in await presence.renew() },
            // A power cut loses one minute of use at most. A machine without a clock battery starts in the past; time
            // then continues from the instant that is written with the use, or alone.
            .every(.seconds(60), from: .zero, isLong: true) { [usage, upkeep] in
                usage.write()
                upkeep.noteInstant()
            },
            // A disk that refused a write may have space by now.
            .every(.seconds(10)) { [monitor] in await monitor.askDiskAgain() },
            // New devices get their names soon after they are seen; each is looked up rarely (`NameSchedule`).
            .every(.seconds(5)) { [names] in await names.look() },
            // Space, addresses, clock and backups can change behind the household's back. What the household itself changed
            // is said sooner.
            .every(.seconds(10), isLong: true) { [watch] in await watch.look() }.only { [watch] in watch.isDue
            },
            // An upstream may have fallen silent, or may ask this server by now.
            .every(.seconds(60), from: .seconds(60), isLong: true) { [watch] in
                await watch.ask()
                await watch.look()
            },
            // Another DNS server on the network lets devices bypass this one.
            .every(.seconds(3600), from: .seconds(60), isLong: true) { [watch] in await watch.search() },
            // The first backup of each day is kept. If it fails, the next is tried within the hour.
            .every(.seconds(3600), isLong: true) { [upkeep] in upkeep.backUp() },
            // Log lines, minutes and questions are removed by age, or by count while the clock is not synchronised.
            .every(.seconds(3600), isLong: true) { [upkeep] in upkeep.forget() },
            // The start or a burst frees memory that the allocator keeps.
            .every(.seconds(60), from: .seconds(2), isLong: true) { FreedMemory.giveBack() },
        ]
        return always + (gateway.map(Self.chores(of:)) ?? []) + (replica.map(chores(of:)) ?? [])
    }

    private func chores(of replica: Replica) -> [Chore] {
        [
            // A phone that asks several machines in turn is counted once, and a limit holds on each.
            .every(.seconds(30)) { [usage] in
                if let told = usage.takeHits() { replica.tellUse(told) }
            }
        ]
    }

    private static func chores(of gateway: Gateway) -> [Chore] {
        [
            // New addresses of closed names must be closed too.
            .every(.seconds(1)) { gateway.wake() },
            // An answer for an allowed name on a closed address waits for this look.
            .every(.milliseconds(100)) { if await gateway.isClosing { gateway.wake() } },
            // Another program may have loaded a firewall, and answers are forgotten after an hour.
            .every(.seconds(10)) { await gateway.becomeDue() },
        ]
    }
}
