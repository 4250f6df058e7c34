import NIOCore
import Synchronization

/// Connections to hosts whose names are open.
extension Hall {
    /// Connects a client with the host that it named; nil if the name is not open to it. A reverse proxy's connection is
    /// never relayed: the next request on it may be another device's.
    func pass(
        _ channel: any Channel, _ visit: AcceptedConnection, to name: String, port: Int, first: ByteBuffer
    ) -> EventLoopFuture<Void>? {
        guard !visit.isProxy, let passages = desk(channel).passages, passages.admits(visit.address, to: name)
        else { return nil }
        return passages.pass(visit, to: name, port: port, first: first).map { [self] in
            isRelaying.store(true, ordering: .releasing)
        }
    }

    var mayHaveRelayed: Bool { isRelaying.load(ordering: .relaxed) }

    /// Asks no loop while nothing is relayed: each would wake up for it.
    func collectRelayed() async -> [RelayedBytes] {
        guard isRelaying.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
        var all: [RelayedBytes] = []
        for box in desks.values {
            let taken = box.eventLoop.submit {
                (bytes: box.value.passages?.collect() ?? [], goesOn: box.value.passages?.areOpen ?? false)
            }
            guard let (bytes, goesOn) = try? await taken.get() else { continue }
            all += bytes
            if goesOn { isRelaying.store(true, ordering: .releasing) }
        }
        return all
    }
}
