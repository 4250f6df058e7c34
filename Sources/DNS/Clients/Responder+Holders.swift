extension ClientAddress {
    /// By what a client's share is counted: its hardware address where the kernel knows one, because a device gives itself
    /// as many addresses as it likes. Else IPv4 addresses count one by one, and those of IPv6 by their /64 network.
    package func holder(having hardware: HardwareAddress?) -> ClientAddress {
        if let hardware { return ClientAddress(hardware) }
        return isV4 || isStandIn ? self : ClientAddress(high: high, low: 0)
    }
}

extension Responder {
    /// - Parameter isConnected: by TCP, so that the kernel has learned its hardware address just now.
    func holder(of client: ClientAddress, isConnected: Bool = false) -> ClientAddress {
        client.holder(having: hardware(client, false) ?? (isConnected ? hardware(client, true) : nil))
    }
}
