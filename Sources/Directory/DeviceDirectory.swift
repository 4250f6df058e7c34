/// Tells who somebody is: the one rule for DNS, the shield, the pages, the relay and the gateway.
///
/// A hardware address is *shared* where several devices come by it, as behind a Wi-Fi repeater or a router. A device that
/// lists a hardware address and an IP address was met with both, or somebody said so.
package struct DeviceDirectory: Sendable, Equatable {
    /// What is known of a device.
    package struct Entry: Sendable, Equatable {
        package let id: Int64
        package var hardware: [MACAddress]
        package var addresses: [IPAddress]
        /// Nobody has said whose it is, and it was met behind a shared hardware address.
        package var isUnplaced: Bool
        /// Somebody's health or safety hangs on it: a strange hardware address makes no new device of it.
        package var isVital: Bool

        package init(
            id: Int64, hardware: [MACAddress], addresses: [IPAddress], isUnplaced: Bool = false,
            isVital: Bool = false
        ) {
            self.id = id
            self.hardware = hardware
            self.addresses = addresses
            self.isUnplaced = isUnplaced
            self.isVital = isVital
        }
    }

    /// Who somebody is.
    package struct Answer: Sendable, Hashable {
        /// The device, for pages and counts; nil: none that is known, or nobody can tell which.
        package var device: Int64?
        /// Everybody whose rules hold: a name is closed where one of them closes it, so that of several answers which could
        /// be right the stricter is given.
        package var rules: [Int64]
        /// Whether the rule for new devices holds too.
        package var isNew: Bool

        package init(device: Int64? = nil, rules: [Int64] = [], isNew: Bool = false) {
            self.device = device
            self.rules = rules
            self.isNew = isNew
        }

        fileprivate init(only id: Int64) { self.init(device: id, rules: [id]) }

        /// Whether nothing at all is known of them.
        package var isStranger: Bool { rules.isEmpty }
        /// Whether more than one answer could be right.
        package var isDoubtful: Bool { rules.count + (isNew ? 1 : 0) > 1 }
    }

    private let entries: [Entry]
    private let byHardware: [MACAddress: [Int]]
    private let byAddress: [IPAddress: Int]
    private let byID: [Int64: Int]

    /// - Parameter entries: where two list one IP address, the last has it.
    package init(_ entries: [Entry] = []) {
        self.entries = entries
        var byHardware: [MACAddress: [Int]] = [:]
        var byAddress: [IPAddress: Int] = [:]
        var byID: [Int64: Int] = [:]
        for (index, entry) in entries.enumerated() {
            for hardware in entry.hardware where byHardware[hardware]?.last != index {
                byHardware[hardware, default: []].append(index)
            }
            for address in entry.addresses { byAddress[address] = index }
            byID[entry.id] = index
        }
        self.byHardware = byHardware
        self.byAddress = byAddress
        self.byID = byID
    }

    package static func == (one: DeviceDirectory, other: DeviceDirectory) -> Bool {
        one.entries == other.entries
    }

    /// The devices that list a hardware address, in their order.
    package func devices(having hardware: MACAddress) -> [Int64] {
        (byHardware[hardware] ?? []).map { entries[$0].id }
    }

    /// The device that lists an IP address.
    package func device(listing address: IPAddress) -> Int64? { byAddress[address].map { entries[$0].id } }

    package func isShared(_ hardware: MACAddress) -> Bool { (byHardware[hardware]?.count ?? 0) > 1 }

    /// The devices that may be at an address, or that its stand-in names.
    ///
    /// - Parameter hardware: as the table of neighbours has it; nil where it cannot be seen.
    package func answer(_ address: IPAddress, _ hardware: MACAddress?) -> Answer {
        if let id = address.namedDevice { return byID[id].map(answer(of:)) ?? Answer(isNew: true) }
        if let named = address.hardware { return answer(behind: byHardware[named] ?? [], at: nil) }
        let holder = byAddress[address]
        guard let hardware else {
            // A table that has not heard of it, or a network behind a router.
            return holder.map(answer(of:)) ?? Answer(isNew: true)
        }
        guard let known = byHardware[hardware] else {
            guard let holder else { return Answer(isNew: true) }
            let entry = entries[holder]
            if entry.hardware.isEmpty || entry.isVital { return Answer(only: entry.id) }
            return Answer(rules: [entry.id], isNew: true)
        }
        return answer(behind: known, at: holder)
    }

    /// Who a device is by what it is known by alone: itself, or everybody that it may be.
    private func answer(of index: Int) -> Answer {
        let entry = entries[index]
        guard entry.isUnplaced else { return Answer(only: entry.id) }
        let others = entry.hardware.flatMap { byHardware[$0] ?? [] }
        return answer(behind: others.isEmpty ? [index] : others, at: index)
    }

    /// - Parameters:
    ///   - known: who lists the hardware address.
    ///   - holder: who lists the IP address.
    private func answer(behind known: [Int], at holder: Int?) -> Answer {
        if known.isEmpty { return Answer(isNew: true) }
        let pair = holder.flatMap { known.contains($0) ? entries[$0] : nil }
        if known.count == 1 || pair.map({ !$0.isUnplaced }) ?? false {
            let device = pair?.id ?? entries[known[0]].id
            let other = pair == nil ? holder.map { entries[$0].id } : nil
            return Answer(
                device: device, rules: [device] + [other].compactMap { $0 },
                isNew: pair?.isUnplaced ?? false)
        }
        let other = pair == nil ? holder.map { [$0] } ?? [] : []
        return Answer(
            device: pair?.id, rules: (known + other).map { entries[$0].id },
            isNew: known.contains { entries[$0].isUnplaced })
    }
}
