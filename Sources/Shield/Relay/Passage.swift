import Glibc
import NIOCore
import Policy

/// One connection that is relayed to the host that it named. Everything here runs on its event loop.
final class Passage {
    let address: String
    let name: String
    /// The app that owns the name in the catalog.
    let app: String?
    /// The device that opened it; nil for the machine itself.
    let device: DeviceID?
    /// Bytes since the last collection, both ways together.
    private var bytes = 0
    private let visit: AcceptedConnection
    private let near: any Channel
    private let far: any Channel
    private let echo: Echo

    init(
        _ visit: AcceptedConnection, name: String, verdict: NameVerdict, near: any Channel, far: any Channel,
        echo: Echo
    ) {
        address = visit.address
        self.name = name
        app = verdict.app?.id
        device = verdict.device
        self.visit = visit
        self.near = near
        self.far = far
        self.echo = echo
    }

    /// The host has sent its first byte.
    func answered() { echo.end() }

    func moved(_ count: Int) {
        bytes += count
        visit.touch(near.eventLoop.now)
    }

    /// Returns and resets the moved bytes; nil if there are none, or the name has no app.
    func takeMoved() -> RelayedBytes? {
        defer { bytes = 0 }
        guard bytes > 0, let app else { return nil }
        return RelayedBytes(address: address, app: app, bytes: bytes)
    }

    func idle(at now: NIODeadline) -> TimeAmount { visit.idle(at: now) }

    func close() {
        near.close(promise: nil)
        far.close(promise: nil)
    }

    /// Ends it with a reset, as a vanished host does, so that an app notices at once, whatever is in progress.
    func cut() {
        for channel in [near, far] {
            _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        close()
    }
}
