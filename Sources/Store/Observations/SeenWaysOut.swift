package import Foundation
import Logging
package import Policy
import Synchronization

// What shows ways past this server on children's devices. The household remembers those that it tells.

extension HouseholdStore {
    /// A device opened a page, or its system asked about the network.
    package func notePage(on id: DeviceID, at now: Date) {
        let household = household
        guard let device = household[device: id], household.isWatched(device) else { return }
        sightings.withLock { state in
            let asked = max(device.lastSeen, state.unwritten[id] ?? .distantPast)
            state.silent[id, default: SilentSpan(at: now)].open(at: now, asked: asked)
        }
    }

    /// A way out was seen. Where it is no news, nothing is written.
    package func note(_ kind: SeenWayOut.Kind, on device: DeviceID, at now: Date) {
        changeWaysOut(at: now) { $0.note(kind, on: device, at: now) }
    }

    /// A way out is closed.
    package func mend(_ kind: SeenWayOut.Kind, on device: DeviceID, at now: Date) {
        changeWaysOut(at: now) { $0.mend(kind, on: device) }
    }

    /// Notes and mends what the devices' questions, pages and addresses show.
    package func lookForWaysOut(at now: Date) {
        let (asked, silent) = sightings.withLock { state in
            let found = (state.unwritten, state.silent)
            state.silent = state.silent.filter { id, span in
                !span.isTelling(asked: state.unwritten[id] ?? .distantPast)
            }
            return found
        }
        changeWaysOut(at: now) { $0.lookForWaysOut(asked: asked, silent: silent, at: now) }
    }

    /// Tried on a copy first: most of the time nothing changes.
    private func changeWaysOut(at now: Date, _ body: (inout Household) -> Void) {
        let known = household
        var tried = known
        body(&tried)
        guard tried.devices != known.devices else { return }
        do {
            try change(keeping: .evenInMemory) { household, log in
                let before = household
                body(&household)
                log += household.ruleEvents(since: before, at: now).map { LogEntry($0) }
            }
        } catch {
            log.warning("A way out could not be stored: \(error)")
        }
    }
}
