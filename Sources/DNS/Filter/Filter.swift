package import NIOCore

/// What to answer to whom: which group a client is in, and the group's rules over the sets of a name table.
///
/// Immutable; a change is a new filter, which may share the old one's table.
package struct Filter: Sendable {
    package let table: NameTable
    package let groups: [Group]
    /// Client to index in `groups`; who is absent and has no `unknownClients` is not enrolled: forwarded untouched.
    package let clients: [ClientAddress: Int]
    /// Addresses of devices by the opaque name that a device gives itself in DNS over HTTPS.
    package let devices: [String: ClientAddress]
    /// The group of clients that are neither in `clients` nor `untouched`, or nil.
    package let unknownClients: Int?
    /// Clients that are known, and not enrolled.
    package let untouched: Set<ClientAddress>

    let compiled: [CompiledGroup]

    package init(
        table: NameTable, groups: [Group] = [], clients: [ClientAddress: Int] = [:],
        unknownClients: Int? = nil, untouched: Set<ClientAddress> = [], devices: [String: ClientAddress] = [:]
    ) {
        precondition(clients.values.allSatisfy(groups.indices.contains), "a client's group exists")
        precondition(unknownClients.map(groups.indices.contains) ?? true, "the unknown clients' group exists")
        self.table = table
        self.groups = groups
        self.clients = clients
        self.devices = devices
        self.unknownClients = unknownClients
        self.untouched = untouched
        compiled = groups.map { CompiledGroup($0, sets: table.setCount) }
    }

    /// A filter under which nobody is enrolled.
    package static let empty = Filter(table: NameTable(sets: [], apps: []))

    var hasGroups: Bool { !compiled.isEmpty }

    func knows(_ client: ClientAddress) -> Bool { clients[client] != nil || untouched.contains(client) }

    func group(of client: ClientAddress) -> Int? {
        if let index = clients[client] { return index }
        guard let unknownClients, !untouched.contains(client) else { return nil }
        return unknownClients
    }
}

extension Filter {
    /// Clients that share rules; all of them are enrolled.
    package struct Group: Sendable, Equatable {
        /// The first that matches wins; where none matches, the query is forwarded.
        package var rules: [Rule]
        /// The largest TTL a client sees, in seconds: 60, near a scheduled start 15.
        package var ttlCeiling: UInt32
        /// No answer outlives this instant (the verdict's `validUntil` on the monotonic clock); at least 1 s is given.
        package var answersEnd: NIODeadline?

        /// Index of a set whose names get the null address also where they are page hosts; nil: none.
        package var shieldless: Int?

        package init(
            rules: [Rule], ttlCeiling: UInt32 = 60, answersEnd: NIODeadline? = nil, shieldless: Int? = nil
        ) {
            self.rules = rules
            self.ttlCeiling = ttlCeiling
            self.answersEnd = answersEnd
            self.shieldless = shieldless
        }
    }

    /// One line of a group's rules.
    package struct Rule: Sendable, Equatable {
        /// Index of a set in the table; nil matches every name.
        package var set: Int?
        /// True: names in the set; false: names that are not in it.
        package var inside: Bool
        package var action: Action

        package init(set: Int? = nil, inside: Bool = true, action: Action) {
            self.set = set
            self.inside = inside
            self.action = action
        }
    }

    package enum Action: Sendable, Equatable {
        /// Resolve, with the group's TTL cap.
        case forward
        /// Resolve, with the upstream's TTL (names that are always reachable).
        case forwardUncapped
        /// A page host gets this machine's address, other names the null address; other types are empty.
        /// `text` goes to the client as Extended DNS Error 17 (RFC 8914).
        case block(text: String)
        /// This machine's own address, which passes connections on; no service bindings, because Encrypted Client
        /// Hello would hide who is meant.
        case relay
        /// The null address also for page hosts (DoH providers).
        case null(text: String)
        /// NXDOMAIN for all types (canary names).
        case nameError
    }
}
