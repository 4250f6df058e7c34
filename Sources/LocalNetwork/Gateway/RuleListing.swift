import Foundation

/// The output of `nft -j list`, as far as we need it.
struct RuleListing {
    /// Tables of family inet.
    private(set) var tables: Set<String> = []
    private(set) var flowTables: Set<String> = []
    /// Elements with a comment in the sets of rejected addresses.
    private(set) var rejected: [String: String] = [:]

    private struct Document: Decodable {
        var nftables: [Entry]
    }

    private struct Entry: Decodable {
        var table: Table?
        var flowtable: Table?
        var set: NamedSet?
    }

    private struct Table: Decodable {
        var family: String
        var name: String
    }

    private struct NamedSet: Decodable {
        var name: String
        var elem: [Element]?
    }

    /// An element with a comment; others are skipped.
    private struct Element: Decodable {
        var noted: Noted?

        private enum Key: String, CodingKey { case elem }

        init(from decoder: any Decoder) throws {
            let container = try? decoder.container(keyedBy: Key.self)
            noted = try? container?.decode(Noted.self, forKey: .elem)
        }
    }

    private struct Noted: Decodable {
        var val: String
        var comment: String
    }

    init(json: [UInt8]) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(json)) else { return }
        for entry in document.nftables {
            if let table = entry.table, table.family == RuleTable.family { tables.insert(table.name) }
            if let flowTable = entry.flowtable { flowTables.insert(flowTable.name) }
            guard let set = entry.set, set.name.hasPrefix(GatewayRules.rejectedPrefix) else { continue }
            for element in (set.elem ?? []).compactMap(\.noted) { rejected[element.val] = element.comment }
        }
    }
}
