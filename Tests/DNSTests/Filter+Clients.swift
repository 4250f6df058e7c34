import Directory

@testable import DNS

extension Filter {
    /// A filter in which every client is a device of its own: with an index in `groups`, or with none.
    init(
        table: NameTable, groups: [Group] = [], clients: [ClientAddress: Int],
        unknownClients: Int? = nil, untouched: Set<ClientAddress> = [], mayBePrivate: Int? = nil,
        devices: [String: ClientAddress] = [:]
    ) {
        var entries: [DeviceDirectory.Entry] = []
        var ids: [ClientAddress: Int64] = [:]
        for client in Array(clients.keys) + Array(untouched) {
            let id = Int64(entries.count + 1)
            ids[client] = id
            entries.append(
                DeviceDirectory.Entry(
                    id: id, hardware: [client.hardware].compactMap { $0 },
                    addresses: client.isStandIn ? [] : [client]))
        }
        self.init(
            table: table, groups: groups, directory: DeviceDirectory(entries),
            groupOfDevice: Dictionary(uniqueKeysWithValues: clients.map { (ids[$0.key]!, $0.value) }),
            newcomers: unknownClients, mayBePrivate: mayBePrivate,
            devices: devices.mapValues { ids[$0].map { ClientAddress(device: $0) } ?? $0 })
    }
}
