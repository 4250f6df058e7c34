package import Foundation
import Logging
import Synchronization

extension Replica {
    /// From now on `heard` is called with what other nodes tell of use.
    package func whenUsed(_ heard: @escaping @Sendable (Data) -> Void) {
        state.withLock { $0.heardUse = heard }
    }

    /// Tells the other nodes what this node was asked. It takes the place of what was told before, so etcd stays small; a
    /// node that is away does not hear it.
    package func tellUse(_ told: Data) {
        pulse.async { [self] in
            guard state.withLock({ $0.isLinked }) else { return }
            let key = place.use(node)
            // What it would say of itself within a minute goes along: one write costs no more.
            var puts = ownRecord()
            // A little later than the next telling, which comes in a minute where use goes on.
            state.withLock { $0.roll.age = -5 }
            puts[key] = vault.current.seal(told, for: key)
            do {
                _ = try commit(EtcdTransaction(puts: puts))
            } catch { log.debug("The other machines did not hear of use", metadata: ["error": "\(error)"]) }
        }
    }

    /// On `hearing`.
    func takeUse(_ news: EtcdNews) {
        guard let heard = state.withLock({ $0.heardUse }) else { return }
        for (key, value) in news.puts {
            guard let number = place.rest(of: key, after: place.all + "use/"), number != "\(node)",
                let told = vault.current.open(value.bytes, for: key)
            else { continue }
            heard(told)
        }
    }
}
