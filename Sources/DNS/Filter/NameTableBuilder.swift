/// Collects names into the arrays that a `NameTable` is made of.
struct NameTableBuilder {
    /// Node 0 is the root; a parent always comes before its children.
    private(set) var nodes: [NameTable.Node]
    /// Hash in the upper half, node in the lower, 0 for empty; a power of two, at most half full.
    private(set) var slots: [UInt64]
    private(set) var labels: [UInt8] = []
    private(set) var rows: [UInt64] = []
    let wordsPerRow: Int

    private var suffixSets: [(node: UInt32, set: Int)] = []
    private var exactSets: [(node: UInt32, set: Int)] = []
    /// By node; 0 without.
    private var suffixTags: [UInt32] = [0]
    private var pageTags: [UInt32] = [0]
    private let name = WireName()
    private var rowNumbers: [[UInt64]: UInt32] = [:]

    init(setCount: Int) {
        wordsPerRow = max(1, (setCount + 63) / 64)
        nodes = [NameTable.Node(parent: 0, labelOffset: 0, labelLength: 0)]
        slots = Array(repeating: 0, count: 64)
    }

    mutating func add(suffix name: String, set: Int) {
        if let node = node(name) { suffixSets.append((node, set)) }
    }

    mutating func add(exact name: String, set: Int) {
        if let node = node(name) { exactSets.append((node, set)) }
    }

    mutating func add(_ counted: CountedName) {
        precondition(counted.tag != 0, "tag 0 means no app")
        guard let node = node(counted.name).map({ Int($0) }) else { return }
        if counted.isPage {
            if pageTags[node] == 0 { pageTags[node] = counted.tag }
        } else {
            if suffixTags[node] == 0 { suffixTags[node] = counted.tag }
        }
    }

    /// Gives every node the sets and tag of its parent, and its own.
    mutating func finish() {
        suffixSets.sort { $0.node < $1.node }
        exactSets.sort { $0.node < $1.node }
        var (suffixes, exacts) = (suffixSets[...], exactSets[...])
        _ = number(of: Array(repeating: 0, count: wordsPerRow))
        for index in nodes.indices {
            let parent = nodes[Int(nodes[index].parent)]
            let suffixRow = row(parent.suffixRow, with: Self.take(index, from: &suffixes))
            nodes[index].suffixRow = suffixRow
            nodes[index].exactRow = row(suffixRow, with: Self.take(index, from: &exacts))
            nodes[index].suffixTag = suffixTags[index] == 0 ? parent.suffixTag : suffixTags[index]
            nodes[index].exactTag = pageTags[index] == 0 ? nodes[index].suffixTag : pageTags[index]
            nodes[index].isPage = pageTags[index] != 0
        }
        labels.append(contentsOf: repeatElement(0, count: 8))
    }

    /// A node's sets, which are first in what is left.
    private static func take(
        _ node: Int, from rest: inout ArraySlice<(node: UInt32, set: Int)>
    ) -> ArraySlice<(node: UInt32, set: Int)> {
        let taken = rest.prefix { $0.node == node }
        rest = rest[taken.endIndex...]
        return taken
    }

    private mutating func row(_ base: UInt32, with sets: ArraySlice<(node: UInt32, set: Int)>) -> UInt32 {
        if sets.isEmpty { return base }
        var bits = Array(rows[Int(base) * wordsPerRow..<(Int(base) + 1) * wordsPerRow])
        for (_, set) in sets { bits[set >> 6] |= 1 << UInt64(set & 63) }
        return number(of: bits)
    }

    private mutating func number(of bits: [UInt64]) -> UInt32 {
        if let known = rowNumbers[bits] { return known }
        let number = UInt32(rowNumbers.count)
        rowNumbers[bits] = number
        rows.append(contentsOf: bits)
        return number
    }

    /// The node of a name, made if need be; nil if the text is no name.
    private mutating func node(_ text: String) -> UInt32? {
        guard name.read(text) else { return nil }
        var node: UInt32 = 0
        for label in (0..<name.labelCount).reversed() {
            let start = name.bytes + Int(name.labels[label])
            node = child(of: node, start + 1, Int(start[0]))
        }
        return node
    }

    private mutating func child(of parent: UInt32, _ label: UnsafePointer<UInt8>, _ length: Int) -> UInt32 {
        let hash = LabelHash.of(parent, label, length)
        var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[place] != 0 {
            let index = Int(slots[place] & 0xffff_ffff)
            if slots[place] >> 32 == hash >> 32, nodes[index].parent == parent,
                Self.matches(nodes[index], label, length, in: labels)
            {
                return UInt32(index)
            }
            place = (place + 1) & (slots.count - 1)
        }
        let index = UInt32(nodes.count)
        nodes.append(
            NameTable.Node(parent: parent, labelOffset: UInt32(labels.count), labelLength: UInt8(length)))
        suffixTags.append(0)
        pageTags.append(0)
        labels.append(contentsOf: UnsafeBufferPointer(start: label, count: length))
        slots[place] = (hash & 0xffff_ffff_0000_0000) | UInt64(index)
        if nodes.count * 2 > slots.count { grow() }
        return index
    }

    private static func matches(
        _ node: NameTable.Node, _ label: UnsafePointer<UInt8>, _ length: Int, in labels: [UInt8]
    ) -> Bool {
        guard Int(node.labelLength) == length else { return false }
        return labels.withUnsafeBufferPointer {
            LabelHash.equal($0.baseAddress! + Int(node.labelOffset), label, length)
        }
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        let padded = labels + repeatElement(0, count: 8)
        padded.withUnsafeBufferPointer { bytes in
            for index in nodes.indices.dropFirst() {
                let node = nodes[index]
                let hash = LabelHash.of(
                    node.parent, bytes.baseAddress! + Int(node.labelOffset), Int(node.labelLength))
                var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
                while slots[place] != 0 { place = (place + 1) & (slots.count - 1) }
                slots[place] = (hash & 0xffff_ffff_0000_0000) | UInt64(index)
            }
        }
    }
}
