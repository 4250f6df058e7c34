import Foundation
import Logging
import Synchronization

extension Replica {
    /// Seconds from one try to the next: what does not help is not done all the time.
    private static let roomIsMadeEvery = 30

    /// Once a second, on `pulse`.
    func makeRoomInTime() {
        let isDue = state.withLock { state in
            guard state.refusal == .ownIsFull else {
                state.untilRoom = 0
                return false
            }
            defer { state.untilRoom = state.untilRoom > 0 ? state.untilRoom - 1 : Self.roomIsMadeEvery }
            return state.untilRoom == 0
        }
        guard isDue else { return }
        asking.async { [self] in
            do {
                try OwnEtcd(directory: directory).makeRoom(file.withLock { $0.etcd })
                _ = try commit(EtcdTransaction(puts: ownRecord()))
                log.notice("etcd was full, and has room again")
            } catch {
                log.warning("etcd is full, and there is no room yet", metadata: ["reason": "\(error)"])
            }
        }
    }
}
