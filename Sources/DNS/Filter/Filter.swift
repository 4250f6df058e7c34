package import Directory
package import NIOCore

/// The verdicts of all devices, compiled: each client's group, and each group's rules over the sets of a name table.
///
/// Immutable; a change is a new filter, which may share the old one's table.
package struct Filter: Sendable {
    package let table: NameTable
    package let groups: [Group]
    /// Tells which devices a client may be.
    package let directory: DeviceDirectory
    /// Device to index in `groups`; an absent device is not enrolled, and its questions are forwarded untouched.
    package let groupOfDevice: [Int64: Int]
    /// What stands for each device, by the opaque name that it gives itself in DNS over HTTPS.
    package let devices: [String: ClientAddress]
    /// The group of new devices, or nil.
    package let newcomers: Int?
    /// Index of the set of public names that may have private addresses, or nil.
    package let mayBePrivate: Int?

    let rules: CompiledRules

    package init(
        table: NameTable, groups: [Group] = [], directory: DeviceDirectory = DeviceDirectory(),
        groupOfDevice: [Int64: Int] = [:], newcomers: Int? = nil, mayBePrivate: Int? = nil,
        devices: [String: ClientAddress] = [:]
    ) {
        precondition(groupOfDevice.values.allSatisfy(groups.indices.contains), "a device's group exists")
        precondition(newcomers.map(groups.indices.contains) ?? true, "the new devices' group exists")
        self.table = table
        self.groups = groups
        self.directory = directory
        self.groupOfDevice = groupOfDevice
        self.devices = devices
        self.newcomers = newcomers
        self.mayBePrivate = mayBePrivate
        rules = CompiledRules(table: table, groups: groups.map { CompiledGroup($0, sets: table.setCount) })
    }

    /// A filter under which nobody is enrolled.
    package static let empty = Filter(table: NameTable(sets: []))

    var hasGroups: Bool { !rules.groups.isEmpty }

    /// The groups whose rules hold for an answer of the directory; a name is closed where one of them
    /// closes it.
    package func groups(of answer: DeviceDirectory.Answer) -> [Int] {
        var found: [Int] = []
        for index in answer.rules.map({ groupOfDevice[$0] }) + [answer.isNew ? newcomers : nil] {
            if let index, !found.contains(index) { found.append(index) }
        }
        return found
    }
}

extension Filter {
    /// Clients that share rules; all of them are enrolled.
    package struct Group: Sendable, Equatable {
        /// The first that matches wins; if none matches, the query is forwarded.
        package var rules: [Rule]
        /// The largest TTL a client sees, in seconds: 60, near a scheduled start 15.
        package var ttlCeiling: UInt32
        /// No answer outlives this instant (the verdict's `validUntil` on the monotonic clock); at least 1 s is given.
        package var answersEnd: NIODeadline?

        /// Index of a set whose names get the null address even if they are page hosts; nil: none.
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
        /// Resolve, with the group's TTL cap, also where other groups of the client would close the name (Help).
        case forward
        /// Resolve, with the upstream's TTL (names that are always reachable).
        case forwardUncapped
        /// A page host gets this machine's address, other names the null address; other types are empty.
        /// `text` goes to the client as Extended DNS Error 17 (RFC 8914).
        case block(text: String)
        /// This machine's own address, which relays connections; no service bindings, because Encrypted Client Hello
        /// would hide the host's name.
        case relay
        /// The null address even for page hosts (DoH providers).
        case null(text: String)
        /// NXDOMAIN for all types (canary names).
        case nameError
    }
}
