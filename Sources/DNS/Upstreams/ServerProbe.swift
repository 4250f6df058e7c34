package import NIOCore

/// Asks servers a question that every resolver can answer, the root's name servers, to see who does. It goes past the
/// filter, the cache and the order of upstreams.
package enum ServerProbe {
    /// The response codes of those that answered within the patience.
    ///
    /// - Parameter patience: for a question that is sent twice, the second time after half of it.
    package static func ask(
        _ servers: [SocketAddress], group: any EventLoopGroup, patience: TimeAmount = .seconds(3)
    ) async -> [SocketAddress: UInt8] {
        await withTaskGroup(of: (SocketAddress, UInt8?).self) { tasks in
            for server in Set(servers) {
                tasks.addTask { (server, await ask(server, group.any(), patience)) }
            }
            var found: [SocketAddress: UInt8] = [:]
            for await (server, code) in tasks { found[server] = code }
            return found
        }
    }

    /// Whether a response code says that names are looked up there: no error, or no such name.
    package static func isUseful(_ code: UInt8) -> Bool { code == 0 || code == 3 }

    private static func ask(
        _ server: SocketAddress, _ loop: any EventLoop, _ patience: TimeAmount
    ) async -> UInt8? {
        await LoneQuestion(name: [0], type: RecordType.ns).ask(server, loop, patience)
            .map { $0[3] & 0x0f }
    }
}
