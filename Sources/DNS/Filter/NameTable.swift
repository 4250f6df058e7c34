/// Thousands of name sets and tens of thousands of names in one structure: one walk over a name's labels, from right
/// to left, tells which sets contain it, which app owns it and whether it is a page host.
///
/// A tree of labels whose edges are in one hash table. Every node inherits the sets of its parent when the table is
/// built, so the deepest node of a walk has the whole answer; equal rows of set bits are shared. Only the builder
/// writes the raw memory, so the table is safe to send.
package final class NameTable: @unchecked Sendable {
    /// The table's facts about one name.
    package struct Match: Sendable, Equatable {
        let row: UInt32
        /// The owning app's tag, 0 without.
        package let tag: UInt32
        /// Whether the catalog says that people open this host in a browser.
        package let isPage: Bool
    }

    struct Node {
        let parent: UInt32
        let labelOffset: UInt32
        let labelLength: UInt8
        var isPage = false
        /// Row and tag of names below this node.
        var suffixRow: UInt32 = 0
        var suffixTag: UInt32 = 0
        /// Row and tag of the node's own name.
        var exactRow: UInt32 = 0
        var exactTag: UInt32 = 0
    }

    package let setCount: Int
    /// How many labels the table holds.
    package let size: Int
    private let wordsPerRow: Int
    private let mask: UInt64
    private let slots: UnsafePointer<UInt64>
    private let nodes: UnsafePointer<Node>
    private let labels: UnsafePointer<UInt8>
    private let rows: UnsafePointer<UInt64>

    /// Compiles the sets (a rule's `set` is the index here) and what is counted. If a name has two tags, the first counts.
    package init(sets: [NameSet], counted: [CountedName] = []) {
        var builder = NameTableBuilder(setCount: sets.count)
        for (index, set) in sets.enumerated() {
            for name in set.suffixes { builder.add(suffix: name, set: index) }
            for name in set.exact { builder.add(exact: name, set: index) }
        }
        for name in counted { builder.add(name) }
        builder.finish()
        setCount = sets.count
        size = builder.nodes.count
        wordsPerRow = builder.wordsPerRow
        mask = UInt64(builder.slots.count - 1)
        slots = Self.copy(builder.slots)
        nodes = Self.copy(builder.nodes)
        labels = Self.copy(builder.labels)
        rows = Self.copy(builder.rows)
    }

    deinit {
        slots.deallocate()
        nodes.deallocate()
        labels.deallocate()
        rows.deallocate()
    }

    private static func copy<Element>(_ array: [Element]) -> UnsafePointer<Element> {
        let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: max(1, array.count))
        _ = memory.initialize(from: array)
        return UnsafePointer(memory.baseAddress!)
    }

    /// Walks the labels from right to left, with one probe per label that the table knows, and one more.
    func match(_ name: WireName) -> Match {
        let bytes = UnsafePointer(name.bytes)
        var node = 0
        var label = name.labelCount
        while label > 0 {
            let start = bytes + Int(name.labels[label - 1])
            guard let child = child(of: UInt32(node), start + 1, Int(start[0])) else {
                return Match(row: nodes[node].suffixRow, tag: nodes[node].suffixTag, isPage: false)
            }
            node = child
            label -= 1
        }
        return Match(row: nodes[node].exactRow, tag: nodes[node].exactTag, isPage: nodes[node].isPage)
    }

    private func child(of parent: UInt32, _ label: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        let hash = LabelHash.of(parent, label, length)
        var place = hash & mask
        while true {
            let slot = slots[Int(place)]
            if slot == 0 { return nil }
            if slot >> 32 == hash >> 32 {
                let index = Int(slot & 0xffff_ffff)
                let node = nodes + index
                if node.pointee.parent == parent && Int(node.pointee.labelLength) == length
                    && LabelHash.equal(labels + Int(node.pointee.labelOffset), label, length)
                {
                    return index
                }
            }
            place = (place + 1) & mask
        }
    }

    /// Whether `set` contains the name that was matched.
    @inline(__always)
    package func contains(_ match: Match, set: Int) -> Bool {
        rows[Int(match.row) * wordsPerRow + set >> 6] & (1 << UInt64(set & 63)) != 0
    }

    /// The first 64 sets that contain the name, set 0 in the lowest bit.
    func firstSets(_ match: Match) -> UInt64 { rows[Int(match.row) * wordsPerRow] }

    /// The match of a name in text; nil if it is no name.
    package func match(_ text: String) -> Match? {
        let name = WireName()
        return name.read(text) ? match(name) : nil
    }
}
