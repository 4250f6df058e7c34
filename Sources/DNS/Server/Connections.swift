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

    private var places: Allowance<ClientAddress>
    private var open: [ObjectIdentifier: Connection] = [:]
    var count: Int { places.count }

    /// - Parameter most: connections at a time.
    init(most: Int) { places = Allowance(all: most) }

    func enter(_ connection: Connection) {
        if let givers = places.givers(for: connection.holder), let other = longestSilent(of: givers) {
            leave(other)
            other.giveWay()
        }
        open[ObjectIdentifier(connection)] = connection
        places.add(1, to: connection.holder)
    }

    /// Harmless if it gave way before.
    func leave(_ connection: Connection) {
        guard open.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        places.giveBack(connection.holder)
    }

    private func longestSilent(of holders: Set<ClientAddress>) -> Connection? {
        open.values.filter { holders.contains($0.holder) }.min { $0.lastActive < $1.lastActive }
    }
}
