import Dispatch
import Foundation
import Glibc

/// The kernel's rules for forwarded packets, set through nft(8).
package enum PacketFilter {
    /// Debian's path; fixed, so that no environment can change it.
    package static let tool = "/usr/sbin/nft"

    /// One at a time, on its own thread, because each waits for a program.
    private static let queue = DispatchQueue(label: "nft")

    /// Why this machine cannot be a gateway, in a sentence; nil if it can.
    package static func obstacle(to interfaces: [String]) -> String? {
        if access(tool, X_OK) != 0 { return "\(tool) is missing: install nftables." }
        if !Privileges.canAdministerNetwork {
            return "A gateway needs the right CAP_NET_ADMIN: start as root, or see Packaging/gateway.conf."
        }
        return missing(interfaces)
    }

    /// Names an interface that does not exist, in a sentence.
    package static func missing(_ interfaces: [String]) -> String? {
        interfaces.first { if_nametoindex($0) == 0 }.map { "There is no interface \($0) on this machine." }
    }

    /// Says, in a sentence, that this machine forwards packets of neither family; nil if it forwards.
    package static var idleness: String? {
        let switches = ["net/ipv4/ip_forward", "net/ipv6/conf/all/forwarding"]
        let isIdle = switches.allSatisfy { fileText("/proc/sys/\($0)")?.first == "0" }
        return isIdle ? "This machine does not forward packets: net.ipv4.ip_forward is 0." : nil
    }

    /// Replaces the rules in one transaction: no packet meets a state between.
    package static func apply(_ rules: GatewayRules) async throws {
        let json = rules.table.json
        _ = try await run(["-j", "-f", "-"], json)
    }

    /// Removes the table.
    package static func remove() async throws {
        _ = try await run(["-j", "-f", "-"], RuleTable.removal(of: GatewayRules.tableName))
    }

    /// What other programs can change.
    package struct Survey: Sendable {
        /// Whether the table exists: another firewall may have flushed everything.
        package var isInForce: Bool
        /// Ways on which packets bypass the rules, one sentence each.
        package var detours: [String]

        package init(isInForce: Bool, detours: [String] = []) {
            self.isInForce = isInForce
            self.detours = detours
        }
    }

    /// Lists only the names of all tables: this nft's JSON may not be able to express other programs' rules.
    package static func survey() async throws -> Survey {
        let tables = RuleListing(json: try await run(["-j", "list", "tables"])).tables
        let listing = RuleListing(json: try await run(["-j", "list", "flowtables"]))
        return Survey(
            isInForce: tables.contains(GatewayRules.tableName),
            detours: listing.flowTables.sorted().map {
                "The firewall's flow table \($0) lets open connections skip all rules. Switch flow offloading off."
            })
    }

    /// The addresses that the table rejects, with the names for which they were answered; empty without a table.
    package static func rejected() async throws -> [String: String] {
        guard try await survey().isInForce else { return [:] }
        let output = try await run(["-j", "list", "table", RuleTable.family, GatewayRules.tableName])
        return RuleListing(json: output).rejected
    }

    private static func run(_ arguments: [String], _ input: [UInt8] = []) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try ToolRun.output(of: tool, arguments, input: input) })
            }
        }
    }
}
