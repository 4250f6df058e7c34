import Glibc
import LocalNetwork
import Synchronization

/// The bound sockets of this server, apart from the channels that read them. They outlive a channel that failed and a
/// house that begins anew. Where systemd keeps them (`FileDescriptorStoreMax=`), they also outlive a restart, a crash
/// and an upgrade: the next process finds the questions that arrived in between.
final class SocketShelf: Sendable {
    typealias Binding = BoundSocket.Binding

    /// What the service manager is asked for.
    struct Cupboard: Sendable {
        var keep: @Sendable (_ descriptor: Int32, _ name: String) -> Void
        var forget: @Sendable (_ name: String) -> Void

        static let systemd = Cupboard(
            keep: { _ = SystemdNotice.keep([$0], as: $1) }, forget: { _ = SystemdNotice.forget($0) })
        static let none = Cupboard(keep: { _, _ in }, forget: { _ in })
    }

    private struct State {
        var sockets: [Binding: [BoundSocket]]
        /// Those that were inherited and that nobody has taken yet.
        var unclaimed: Set<Binding>
    }

    private let cupboard: Cupboard
    private let state: Mutex<State>

    init(_ inherited: [BoundSocket] = [], cupboard: Cupboard = .none) {
        self.cupboard = cupboard
        let sockets = Dictionary(grouping: inherited, by: \.place)
        state = Mutex(State(sockets: sockets, unclaimed: Set(sockets.keys)))
    }

    deinit {
        let sockets = state.withLock { $0.sockets }
        for socket in sockets.values.joined() { close(socket.descriptor) }
    }

    func count(_ place: Binding) -> Int { state.withLock { $0.sockets[place]?.count ?? 0 } }

    /// A descriptor of the caller's own.
    func take(_ place: Binding, _ index: Int) -> Int32? {
        state.withLock { state in
            guard let sockets = state.sockets[place], sockets.indices.contains(index) else { return nil }
            state.unclaimed.remove(place)
            let copy = fcntl(sockets[index].descriptor, F_DUPFD_CLOEXEC, InheritedSockets.first)
            return copy < 0 ? nil : copy
        }
    }

    /// Keeps a copy of a descriptor, here and in the cupboard.
    func keep(_ descriptor: Int32, _ place: Binding) {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, InheritedSockets.first)
        guard copy >= 0 else { return }
        guard let socket = BoundSocket(copy, name: place.name) else {
            close(copy)
            return
        }
        state.withLock { $0.sockets[place, default: []].append(socket) }
        cupboard.keep(copy, place.name)
    }

    func forget(_ place: Binding) {
        let sockets = state.withLock { state in
            state.unclaimed.remove(place)
            return state.sockets.removeValue(forKey: place) ?? []
        }
        guard !sockets.isEmpty else { return }
        for socket in sockets { close(socket.descriptor) }
        // What came from a socket unit stays that unit's.
        if sockets.contains(where: { $0.name == place.name }) { cupboard.forget(place.name) }
    }

    /// Closes what was inherited and fits nothing that is listened on: of a socket that nobody reads, the kernel goes
    /// on taking clients' questions.
    /// - Returns: how many places that were.
    func forgetUnclaimed() -> Int {
        let places = state.withLock { $0.unclaimed }
        for place in places { forget(place) }
        return places.count
    }
}
