import Foundation
import LocalNetwork
import Logging
import Policy
import Shield
import Store

extension House {
    /// Listens on addresses that come (a lease, a cable) and lets go of those that went.
    func watchAddresses() async {
        var current = listening
        while !Task.isCancelled {
            await clock.sleep(clock.now().addingTimeInterval(1))
            let next = Listening(
                machine: machine.addresses(), bind: options.bind, advertised: options.address)
            guard next != current else { continue }
            logger.notice("Addresses changed", metadata: ["now": "\(next.addresses.joined(separator: " "))"])
            current = next
            await desk.move(to: next)
            note(await door.rebind(addresses: next.addresses))
        }
    }

    /// The watchdog's sign of life, and one backup a day.
    func keepHouse() async {
        var tried = Date.distantPast
        while !Task.isCancelled {
            await clock.sleep(clock.now().addingTimeInterval(1))
            machine.notify(.watchdog)
            let now = clock.now()
            guard now.timeIntervalSince(tried) > 3600 || now < tried else { continue }
            tried = now
            do { try store.backUpDaily(at: now) } catch {
                logger.error("The daily backup failed", metadata: ["error": "\(error)"])
            }
        }
    }
}
