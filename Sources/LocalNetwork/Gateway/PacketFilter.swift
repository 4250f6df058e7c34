import Dispatch
import Foundation
import Glibc

/// The rules of this machine's kernel for packets that it passes on, through nft(8).
package enum PacketFilter {
    /// Where Debian has it; a path that nobody's environment can change.
    package static let tool = "/usr/sbin/nft"

    /// One at a time, and on a thread of its own, because each waits for a program.
    private static let queue = DispatchQueue(label: "nft")

    /// Why nothing can be ruled here, in a sentence; nil: nothing stands in the way.
    package static func obstacle(to interfaces: [String]) -> String? {
        if access(tool, X_OK) != 0 { return "\(tool) is missing: install nftables." }
        if !Privileges.canAdministerNetwork {
            return "A gateway needs the right CAP_NET_ADMIN: start as root, or see Packaging/gateway.conf."
        }
        return missing(interfaces)
    }

    /// Which interface is not there, in a sentence.
    package static func missing(_ interfaces: [String]) -> String? {
        interfaces.first { if_nametoindex($0) == 0 }.map { "There is no interface \($0) on this machine." }
    }

    /// That this machine passes on the packets of neither family, in a sentence; nil: it does.
    package static var idleness: String? {
        let switches = ["net/ipv4/ip_forward", "net/ipv6/conf/all/forwarding"]
        let isIdle = switches.allSatisfy { fileText("/proc/sys/\($0)")?.first == "0" }
        return isIdle ? "This machine passes no packets on: net.ipv4.ip_forward is 0." : nil
    }

    /// Puts rules in force in place of those before, in one transaction: no packet meets a state between.
    package static func apply(_ rules: GatewayRules) async throws {
        let json = rules.table.json
        _ = try await run(["-j", "-f", "-"], json)
    }

    /// Takes the table away.
    package static func remove() async throws {
        _ = try await run(["-j", "-f", "-"], RuleTable.removal(of: GatewayRules.tableName))
    }

    /// What can change behind this server's back.
    package struct Survey: Sendable {
        /// Whether the table is there: somebody's firewall may have flushed everything.
        package var isInForce: Bool
        /// By which packets pass without being looked at, in a sentence each.
        package var detours: [String]

        package init(isInForce: Bool, detours: [String] = []) {
            self.isInForce = isInForce
            self.detours = detours
        }
    }

    /// A look at the names of everybody's tables; what other rules say may be beyond this nft's JSON.
    package static func survey() async throws -> Survey {
        let tables = RuleListing(json: try await run(["-j", "list", "tables"])).tables
        let listing = RuleListing(json: try await run(["-j", "list", "flowtables"]))
        return Survey(
            isInForce: tables.contains(GatewayRules.tableName),
            detours: listing.flowTables.sorted().map {
                "The firewall's flow table \($0) passes open connections by all rules: switch flow offloading off."
            })
    }

    /// The addresses that the table rejects, with the names for which they were answered; empty where there is none.
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
