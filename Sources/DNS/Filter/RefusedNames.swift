import Directory

/// A name that a block rule refused to a client since the last collection; told once, however often it was asked.
package struct RefusedName: Hashable, Sendable {
    package var client: ClientAddress
    /// Lower case, without the root's dot.
    package var name: String
}

/// The names that one event loop refused between two collections; `Tally` counts tags.
struct RefusedNames {
    private struct Key: FlatKey {
        let client: ClientAddress
        /// A hash of the name; of two names with the same hash, only the first is told.
        let name: UInt64

        func hash(seed: UInt64) -> UInt64 { client.hash(seed: seed ^ name) }
    }

    /// A bound on memory and on the size of a collection: clients choose the names.
    static let capacity = 512

    private var names = FlatTable<Key, [UInt8]>()
    private let seed = UInt64.random(in: 0..<(1 << 56))

    mutating func note(_ client: ClientAddress, _ name: WireName) {
        guard names.count < Self.capacity else { return }
        let key = Key(client: client, name: LabelHash.of(seed: seed, name.bytes, name.length))
        _ = names.insert(key, [UInt8](UnsafeBufferPointer(start: name.bytes, count: name.length)))
    }

    /// Returns the names and clears them. Names with bytes that no rule could hold are left out.
    mutating func collect() -> [RefusedName] {
        guard names.count > 0 else { return [] }
        let collected = zip(names.keys, names.values).compactMap { key, wire in
            Self.text(wire).map { RefusedName(client: key.client, name: $0) }
        }
        names.removeAll()
        return collected
    }

    /// A name in wire form as text; nil if no rule could hold it.
    static func text(_ wire: [UInt8]) -> String? {
        var text = ""
        var offset = 0
        while offset < wire.count, wire[offset] > 0 {
            let end = offset + 1 + Int(wire[offset])
            guard end < wire.count, wire[offset + 1..<end].allSatisfy(isHostByte) else { return nil }
            if offset > 0 { text += "." }
            text += String(decoding: wire[offset + 1..<end], as: UTF8.self)
            offset = end
        }
        return text.isEmpty ? nil : text
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
