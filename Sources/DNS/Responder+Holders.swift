extension Responder {
    /// By what a client's share is counted: its hardware address where the kernel knows one, because a device gives itself
    /// as many IPv6 addresses as it likes. Else IPv4 addresses count one by one, and those of IPv6 by their network.
    ///
    /// - Parameter isConnected: by TCP, so that the kernel has learned its hardware address just now.
    func holder(of client: ClientAddress, isConnected: Bool = false) -> ClientAddress {
        if let known = hardware(client, false) ?? (isConnected ? hardware(client, true) : nil) {
            return ClientAddress(known)
        }
        return client.isV4 || client.isStandIn ? client : ClientAddress(high: client.high, low: 0)
    }
}
