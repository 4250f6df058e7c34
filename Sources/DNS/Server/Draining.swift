package import NIOCore

extension Resolver {
    /// Stops reading questions and accepting connections, and waits until all read questions are answered. Later ones
    /// stay in the kernel's queues for the next owner of the sockets. The wait ends early when a queue is half full,
    /// and at the latest after `limit`.
    package func drain(within limit: TimeAmount) async {
        let end = NIODeadline.now() + limit
        await listeners.pause()
        // A connection that was accepted just now is about to ask.
        if await loops.ask({ $0.hasConnections }).contains(true) {
            try? await Task.sleep(for: .milliseconds(20))
        }
        while NIODeadline.now() < end {
            if await loops.ask({ $0.hasWaiters }).allSatisfy({ !$0 }) { return }
            if await listeners.isFilling { return }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}

extension Listeners {
    /// Stops reading and accepting, for good.
    func pause() async {
        for socket in datagrams {
            try? await socket.eventLoop.flatSubmit { socket.value.pause() }.get()
        }
        for channel in streams { try? await channel.setOption(.autoRead, value: false).get() }
    }

    /// Whether unread questions are about to be lost.
    var isFilling: Bool {
        get async {
            for socket in datagrams {
                if (try? await socket.eventLoop.submit { socket.value.isFilling }.get()) == true {
                    return true
                }
            }
            return false
        }
    }
}
