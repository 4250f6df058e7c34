import Directory
import Glibc

/// Decides which tracked connections a gateway's rules refuse, by the same rules as `GatewayRules.table`.
struct RefusedFlows {
    private let rejected: [Set<AddressBytes>]
    private let resolvers: Set<AddressBytes>
    private let networks: [(bytes: [UInt8], length: Int)]
    /// The groups of each enrolled device's address, including addresses found by hardware address.
    private var groups: [AddressBytes: Set<Int>] = [:]
    private let own: Set<AddressBytes>

    /// - Parameter own: this machine's addresses; connections to it, or redirected to it, are not forwarded.
    init(_ rules: GatewayRules, neighbours: [Neighbour], own: [String]) {
        rejected = rules.groups.map { Set($0.rejected.keys.compactMap { AddressBytes(text: $0) }) }
        resolvers = Set(rules.encryptedResolvers.compactMap { AddressBytes(text: $0) })
        networks = rules.encryptedResolvers.compactMap { text in
            let parts = text.split(separator: "/").map(String.init)
            guard parts.count == 2, let address = AddressBytes(text: parts[0]), let length = Int(parts[1])
            else { return nil }
            return (address.bytes, length)
        }
        self.own = Set(own.compactMap { AddressBytes(text: $0) })
        let byHardware = Dictionary(grouping: neighbours, by: \.hardware.text)
        for (index, group) in rules.groups.enumerated() {
            let known = group.hardware.flatMap { byHardware[$0] ?? [] }.map(\.address.text)
            let shared = group.sharedHardware.flatMap { byHardware[$0] ?? [] }.map(\.address.text)
            let all = known + shared.filter { !rules.placed.contains($0) } + group.addresses
            for address in all.compactMap({ AddressBytes(text: $0) }) {
                groups[address, default: []].insert(index)
            }
        }
    }

    /// Whether the packets of a connection's device are refused.
    func contain(_ flow: TrackedFlow) -> Bool {
        // The rules see packets after their destination was translated, so the answering address counts.
        let (asked, asking) = (flow.reply.source, flow.original.source)
        if own.contains(asked) || own.contains(asking) { return false }
        if let groups = groups[asking] {
            return groups.contains { refuses(flow, $0, asked, flow.reply.sourcePort) }
        }
        // The connection began outside, towards a device.
        return groups[asked]?.contains { refuses(flow, $0, asking, flow.original.sourcePort) } ?? false
    }

    private func refuses(_ flow: TrackedFlow, _ group: Int, _ other: AddressBytes, _ port: UInt16) -> Bool {
        if flow.isTCP || flow.isUDP, port == 53 || port == 853 || isResolver(other) { return true }
        guard rejected[group].contains(other) else { return false }
        // A call that began before goes on; QUIC is not a call.
        return !(flow.isUDP && port != 443 && flow.isAnswered)
    }

    private func isResolver(_ address: AddressBytes) -> Bool {
        if resolvers.contains(address) { return true }
        return networks.contains { network in
            network.bytes.count == address.bytes.count
                && zip(network.bytes, address.bytes).enumerated().allSatisfy { index, pair in
                    let bits = min(8, max(0, network.length - index * 8))
                    let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
                    return pair.0 & mask == pair.1 & mask
                }
        }
    }
}

extension GatewayRules {
    /// Whether these rules refuse packets that other rules accept.
    package func refuseMore(than before: GatewayRules) -> Bool {
        guard encryptedResolvers.isSubset(of: before.encryptedResolvers) else { return true }
        var earlier: [String: Int] = [:]
        for (index, group) in before.groups.enumerated() {
            for member in group.addresses.union(group.hardware) { earlier[member] = index }
        }
        for group in groups {
            let held = Set(group.addresses.union(group.hardware).map { earlier[$0] })
            for index in held {
                guard let index else { return true }
                let known = before.groups[index].rejected
                if group.rejected.keys.contains(where: { known[$0] == nil }) { return true }
            }
        }
        return false
    }
}
