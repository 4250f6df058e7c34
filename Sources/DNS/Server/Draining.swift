package import NIOCore

extension Resolver {
    /// Reads no further questions and accepts no further connections, and waits until everything that was read is
    /// answered. What arrives meanwhile stays in the kernel's queues for whoever has the sockets next; when one of
    /// those is half full, or after `limit`, nobody is waited for any longer.
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

    /// Whether questions that wait to be read are about to be lost.
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
