// The catalog's files as JSON; members without a meaning for the program, such as notes, are passed over.

extension CatalogFile {
    /// Reads a shelf.
    package init(json: [UInt8]) throws {
        let shelf = try JSONValue(json: json)
        self.init(
            id: try shelf.text("id"), name: try shelf.text("name"),
            apps: try shelf.list("apps").map(Entry.init))
        guard !apps.isEmpty else { throw JSONValue.Fault("apps") }
    }
}

extension CatalogFile.Entry {
    fileprivate init(_ json: JSONValue) throws {
        self.init(
            id: try json.text("id"), name: try json.text("name"), suffixes: try json.texts("suffixes"),
            pages: try json.texts("pages"), foreground: try json.texts("foreground"),
            service: try json.texts("service"))
        guard !suffixes.isEmpty else { throw JSONValue.Fault("suffixes") }
    }
}

extension AlwaysReachable {
    /// Reads `always-reachable.json`. Missing lists are empty, and an entry is not optional unless it says so.
    package static func list(json: [UInt8]) throws -> [AlwaysReachable] {
        guard case .array(let entries) = try JSONValue(json: json) else { throw JSONValue.Fault("the list") }
        return try entries.map { entry in
            AlwaysReachable(
                id: try entry.text("id"), name: try entry.text("name"), reason: try entry.text("reason"),
                suffixes: try entry.texts("suffixes"), hosts: try entry.texts("hosts"),
                isOptional: entry["isOptional"] == .bool(true))
        }
    }
}

extension JSONValue {
    /// A member that must not be missing or empty.
    fileprivate func text(_ name: String) throws -> String {
        guard case .string(let text)? = self[name], !text.isEmpty else { throw Fault(name) }
        return text
    }

    /// Empty if it is missing.
    fileprivate func list(_ name: String) throws -> [JSONValue] {
        switch self[name] {
        case nil: return []
        case .array(let values)?: return values
        default: throw Fault(name)
        }
    }

    fileprivate func texts(_ name: String) throws -> [String] {
        try list(name).map { value in
            guard case .string(let text) = value else { throw Fault(name) }
            return text
        }
    }
}

extension JSONValue.Fault {
    fileprivate init(_ name: String) {
        self.init(description: "In the catalog, \(name) is missing or not as expected.")
    }
}
