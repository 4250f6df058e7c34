import NIOCore

/// Whether a reply is one of the server that was asked.
extension Exchange {
    func came(_ attempt: Attempt, from source: SocketAddress) -> Bool {
        guard attempt.carrier == .datagram, let address = server(attempt).address else { return false }
        return Self.isSame(address, source)
    }

    func server(_ attempt: Attempt) -> UpstreamServer { loop.upstreams(route).all[attempt.upstream].server }

    /// Whether a reply in another case is taken at once, which is one more sign that the server changes it.
    func isKnownToRecase(_ attempt: Attempt) -> Bool {
        let (server, now) = (server(attempt), NIODeadline.now())
        return loop.recasers.isKnown(server, at: now) && loop.recasers.recased(server, at: now)
    }

    /// Whether a datagram came from the server that was asked, whatever form its address has.
    static func isSame(_ server: SocketAddress, _ source: SocketAddress) -> Bool {
        source.port == server.port && ClientAddress(source) == ClientAddress(server)
    }

    /// What to take where a datagram came in another case: what TCP said, else the datagram once its server is known to
    /// change it. A server that gives neither is left to the last.
    func judge(_ recased: ByteBuffer, _ attempt: Attempt, overTCP reply: ByteBuffer?) -> ByteBuffer? {
        let isProven = reply?.withUnsafeReadableBytes { !attempt.isAnswered(by: $0) } ?? false
        let isKnown = loop.recasers.recased(server(attempt), isProven: isProven, at: .now())
        if reply == nil, !isKnown { loop.suspect(attempt.upstream, route, askedAt: attempt.sent) }
        return reply ?? (isKnown ? recased : nil)
    }
}
