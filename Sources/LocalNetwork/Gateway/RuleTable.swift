import Foundation

/// Our table as nft gets it: sets, chains and rules, in the order in which they are created.
struct RuleTable: Sendable {
    /// Where a base chain hooks into the packets' path.
    struct Hook: Sendable {
        var type: String
        var name: String
        var priority: Int
    }

    /// An element with a comment, which the kernel stores with it.
    struct Element: Sendable {
        var value: JSONTree
        var comment: String?
    }

    static let family = "inet"
    /// The longest comment, in bytes; nft takes 128 with the final zero.
    static let longestComment = 127

    private let name: String
    private var commands: [JSONTree]

    /// Starts from an empty table. All commands are one transaction, so no packet ever meets a state between.
    init(name: String) {
        self.name = name
        commands = []
        let table = JSONTree.object(["family": .text(Self.family), "name": .text(name)])
        for verb in ["add", "delete", "add"] { command(verb, "table", table) }
    }

    mutating func set(_ set: String, _ type: SetType, _ elements: [Element], isInterval: Bool = false) {
        var body = own(["name": .text(set), "type": .text(type.rawValue)])
        if isInterval { body["flags"] = .list([.text("interval")]) }
        if !elements.isEmpty { body["elem"] = .list(elements.map(\.json)) }
        command("add", "set", .object(body))
    }

    mutating func chain(_ chain: String, _ hook: Hook? = nil) {
        var body = own(["name": .text(chain)])
        if let hook {
            body["type"] = .text(hook.type)
            body["hook"] = .text(hook.name)
            body["prio"] = .number(hook.priority)
            body["policy"] = .text("accept")
        }
        command("add", "chain", .object(body))
    }

    mutating func rule(_ chain: String, _ steps: RuleStep...) { rule(chain, steps) }

    mutating func rule(_ chain: String, _ steps: [RuleStep]) {
        let body = own(["chain": .text(chain), "expr": .list(steps.map(\.json))])
        command("add", "rule", .object(body))
    }

    /// The input for nft, with keys in alphabetical order.
    var json: [UInt8] { Self.encoded(commands) }

    /// Removes the table; also works if there is none.
    static func removal(of name: String) -> [UInt8] {
        encoded(Array(RuleTable(name: name).commands.prefix(2)))
    }

    private func own(_ body: [String: JSONTree]) -> [String: JSONTree] {
        body.merging(["family": .text(Self.family), "table": .text(name)]) { mine, _ in mine }
    }

    private mutating func command(_ verb: String, _ kind: String, _ body: JSONTree) {
        commands.append(.object([verb: .object([kind: body])]))
    }

    private static func encoded(_ commands: [JSONTree]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts, integers and lists of them always encode.
        let data = try? encoder.encode(JSONTree.object(["nftables": .list(commands)]))
        return data.map { [UInt8]($0) } ?? []
    }
}

extension RuleTable.Element {
    /// An address, a hardware address, or a prefix such as `45.90.28.0/24`.
    init(_ text: String, comment: String? = nil) {
        self.comment = comment
        let parts = text.split(separator: "/")
        if parts.count == 2, let length = Int(parts[1]) {
            value = .object(["prefix": .object(["addr": .text(String(parts[0])), "len": .number(length)])])
        } else {
            value = .text(text)
        }
    }

    fileprivate var json: JSONTree {
        guard let comment else { return value }
        return .object(["elem": .object(["val": value, "comment": .text(comment)])])
    }
}
