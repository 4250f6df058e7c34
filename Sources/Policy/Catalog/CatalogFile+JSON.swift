// The catalog's files as JSON; members without a meaning for the program, such as notes, are passed over.

extension CatalogFile {
    /// Reads a shelf.
    package init(json: [UInt8]) throws {
        self = try JSONReader.read(json) { reader in
            var shelf = CatalogFile(id: "", name: "", apps: [])
            try reader.object { reader, member in
                switch member {
                case "id": shelf.id = try reader.string()
                case "name": shelf.name = try reader.string()
                case "apps": shelf.apps = try reader.array(Entry.read)
                default: try reader.skip()
                }
            }
            guard !shelf.id.isEmpty, !shelf.name.isEmpty, !shelf.apps.isEmpty else { throw reader.fault }
            return shelf
        }
    }
}

extension CatalogFile.Entry {
    fileprivate static func read(_ reader: inout JSONReader) throws -> Self {
        var entry = Self(id: "", name: "", suffixes: [])
        try reader.object { reader, member in
            switch member {
            case "id": entry.id = try reader.string()
            case "name": entry.name = try reader.string()
            case "suffixes": entry.suffixes = try reader.strings()
            case "pages": entry.pages = try reader.strings()
            case "foreground": entry.foreground = try reader.strings()
            case "service": entry.service = try reader.strings()
            default: try reader.skip()
            }
        }
        guard !entry.id.isEmpty, !entry.name.isEmpty, !entry.suffixes.isEmpty else { throw reader.fault }
        return entry
    }
}

extension AlwaysReachable {
    /// Reads `always-reachable.json`. Missing lists are empty, and an entry is not optional unless it says so.
    package static func list(json: [UInt8]) throws -> [AlwaysReachable] {
        try JSONReader.read(json) { reader in try reader.array(read) }
    }

    private static func read(_ reader: inout JSONReader) throws -> Self {
        var entry = Self(id: "", name: "", reason: "")
        try reader.object { reader, member in
            switch member {
            case "id": entry.id = try reader.string()
            case "name": entry.name = try reader.string()
            case "reason": entry.reason = try reader.string()
            case "suffixes": entry.suffixes = try reader.strings()
            case "hosts": entry.hosts = try reader.strings()
            case "isOptional": entry.isOptional = try reader.bool()
            default: try reader.skip()
            }
        }
        guard !entry.id.isEmpty, !entry.name.isEmpty, !entry.reason.isEmpty else { throw reader.fault }
        return entry
    }
}
