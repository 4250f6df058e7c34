import Glibc
import NIOCore

/// One connection that is passed on to the host it named. Everything here runs on its event loop.
final class Passage {
    let address: String
    let name: String
    private let visit: Visit
    private let near: any Channel
    private let far: any Channel

    init(_ visit: Visit, name: String, near: any Channel, far: any Channel) {
        address = visit.address
        self.name = name
        self.visit = visit
        self.near = near
        self.far = far
    }

    func moved(_ bytes: Int) { visit.touch(near.eventLoop.now) }

    func idle(at now: NIODeadline) -> TimeAmount { visit.idle(at: now) }

    func close() {
        near.close(promise: nil)
        far.close(promise: nil)
    }

    /// Ends it as a host does that has gone: with a reset, so that an app notices at once, whatever is under way.
    func cut() {
        for channel in [near, far] {
            _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        close()
    }
}
