import Directory
import NIOCore

/// The TCP or TLS connections of one event loop, counted by holder. A new one always gets in: at the bound, the holder
/// with the most connections loses its longest silent connection.
final class Connections {
    final class Connection {
        /// The key by which it is counted (`Responder.holder`).
        let holder: ClientAddress
        /// When it last sent or received a whole message.
        var lastActive: NIODeadline
        fileprivate let giveWay: () -> Void

        /// - Parameter giveWay: closes it at once.
        init(_ holder: ClientAddress, at now: NIODeadline, giveWay: @escaping () -> Void) {
            self.holder = holder
            lastActive = now
            self.giveWay = giveWay
        }
    }

    private let most: Int
    private var open: [ObjectIdentifier: Connection] = [:]
    var count: Int { open.count }

    /// - Parameter most: connections at a time.
    init(most: Int) { self.most = most }

    func enter(_ connection: Connection) {
        if count >= most, let other = leastDeserving {
            leave(other)
            other.giveWay()
        }
        open[ObjectIdentifier(connection)] = connection
    }

    /// Harmless if it gave way before.
    func leave(_ connection: Connection) { open[ObjectIdentifier(connection)] = nil }

    private var leastDeserving: Connection? {
        var counts: [ClientAddress: Int] = [:]
        for connection in open.values { counts[connection.holder, default: 0] += 1 }
        let most = counts.values.max()
        return open.values.filter { counts[$0.holder] == most }.min { $0.lastActive < $1.lastActive }
    }
}
