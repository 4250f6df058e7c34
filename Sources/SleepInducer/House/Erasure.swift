import Cluster
import Store

/// Goodbye, said on a page. The files go at once, and the last page gets a moment to arrive. Then the server begins
/// anew as on its first day, so that devices that still ask it get answers.
final class Erasure: Sendable {
    private let store: HouseholdStore
    private let directory: String
    private let begun: AsyncStream<Void>
    private let begin: AsyncStream<Void>.Continuation

    init(_ store: HouseholdStore, in directory: String) {
        self.store = store
        self.directory = directory
        (begun, begin) = AsyncStream.makeStream(of: Void.self)
    }

    var isDone: Bool { store.isErased }

    func erase() throws {
        try OwnEtcd(directory: directory).remove()
        try store.erase()
        begin.yield()
    }

    /// Calls `end` a moment after everything was erased.
    func wait(end: @escaping @Sendable () async -> Void) async {
        for await _ in begun {
            try? await Task.sleep(for: .seconds(1))
            return await end()
        }
    }
}
