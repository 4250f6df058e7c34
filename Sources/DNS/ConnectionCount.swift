/// The TCP or TLS connections of one event loop, by client.
final class ConnectionCount {
    static let mostPerClient = 20
    static let most = 200

    private var clients: [ClientAddress: Int] = [:]
    private(set) var total = 0

    /// False when the client, or all together, have as many as they may.
    func open(_ client: ClientAddress) -> Bool {
        guard total < Self.most, clients[client, default: 0] < Self.mostPerClient else { return false }
        clients[client, default: 0] += 1
        total += 1
        return true
    }

    func close(_ client: ClientAddress) {
        total -= 1
        clients[client, default: 1] -= 1
        if clients[client] == 0 { clients[client] = nil }
    }
}
