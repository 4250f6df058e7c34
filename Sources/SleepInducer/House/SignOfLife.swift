import Dashboard
import NIOCore
import Store

/// Whether the threads that serve are at work: each event loop of DNS and the doors, those that answer requests for
/// pages, and those that all tasks share.
enum SignOfLife {
    /// Returns when each of them has done something; never, if one of them does nothing any more.
    static func shown(by group: any EventLoopGroup) async {
        await withDiscardingTaskGroup { serving in
            for loop in group.makeIterator() { serving.addTask { try? await loop.submit {}.get() } }
            serving.addTask { await HomeSite.showLife() }
            serving.addTask { await onSharedThreads {} }
        }
    }
}
