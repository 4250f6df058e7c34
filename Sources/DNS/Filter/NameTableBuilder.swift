/// Collects names into the arrays that a `NameTable` is made of.
struct NameTableBuilder {
    /// Node 0 is the root; a parent always stands before its children.
    private(set) var nodes: [NameTable.Node]
    /// Hash in the upper half, node in the lower, 0 for empty; a power of two, at most half full.
    private(set) var slots: [UInt64]
    private(set) var labels: [UInt8] = []
    private(set) var rows: [UInt64] = []
    let wordsPerRow: Int

    private var suffixSets: [(node: UInt32, set: Int)] = []
    private var exactSets: [(node: UInt32, set: Int)] = []
    private var suffixTags: [UInt32: UInt32] = [:]
    private var pageTags: [UInt32: UInt32] = [:]
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

    mutating func add(_ app: AppNames) {
        precondition(app.tag != 0, "tag 0 means no app")
        for name in app.suffixes {
            if let node = node(name), suffixTags[node] == nil { suffixTags[node] = app.tag }
        }
        for name in app.pages {
            if let node = node(name), pageTags[node] == nil { pageTags[node] = app.tag }
        }
    }

    /// Gives every node the sets and tag of its parent, and its own.
    mutating func finish() {
        let suffixes = Dictionary(grouping: suffixSets, by: \.node).mapValues { $0.map(\.set) }
        let exacts = Dictionary(grouping: exactSets, by: \.node).mapValues { $0.map(\.set) }
        _ = number(of: Array(repeating: 0, count: wordsPerRow))
        for index in nodes.indices {
            let key = UInt32(index)
            let parent = nodes[Int(nodes[index].parent)]
            let suffixRow = row(parent.suffixRow, with: suffixes[key])
            nodes[index].suffixRow = suffixRow
            nodes[index].exactRow = row(suffixRow, with: exacts[key])
            nodes[index].suffixTag = suffixTags[key] ?? parent.suffixTag
            nodes[index].exactTag = pageTags[key] ?? suffixTags[key] ?? parent.suffixTag
            nodes[index].isPage = pageTags[key] != nil
        }
        labels.append(contentsOf: repeatElement(0, count: 8))
    }

    private mutating func row(_ base: UInt32, with sets: [Int]?) -> UInt32 {
        guard let sets else { return base }
        var bits = Array(rows[Int(base) * wordsPerRow..<(Int(base) + 1) * wordsPerRow])
        for set in sets { bits[set >> 6] |= 1 << UInt64(set & 63) }
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
    private mutating func node(_ name: String) -> UInt32? {
        guard let wire = WireName.wire(name) else { return nil }
        var starts: [Int] = []
        var offset = 0
        while wire[offset] != 0 {
            starts.append(offset)
            offset += 1 + Int(wire[offset])
        }
        let padded = wire + repeatElement(0, count: 8)
        return padded.withUnsafeBufferPointer { bytes in
            starts.reversed().reduce(0) { parent, start in
                child(of: parent, bytes.baseAddress! + start + 1, Int(bytes[start]))
            }
        }
    }

    private mutating func child(of parent: UInt32, _ label: UnsafePointer<UInt8>, _ length: Int) -> UInt32 {
        let hash = LabelHash.of(parent, label, length)
        var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[place] != 0 {
            let index = Int(slots[place] & 0xffff_ffff)
            if slots[place] >> 32 == hash >> 32, nodes[index].parent == parent,
                matches(nodes[index], label, length)
            {
                return UInt32(index)
            }
            place = (place + 1) & (slots.count - 1)
        }
        let index = UInt32(nodes.count)
        nodes.append(
            NameTable.Node(parent: parent, labelOffset: UInt32(labels.count), labelLength: UInt8(length)))
        labels.append(contentsOf: UnsafeBufferPointer(start: label, count: length))
        slots[place] = (hash & 0xffff_ffff_0000_0000) | UInt64(index)
        if nodes.count * 2 > slots.count { grow() }
        return index
    }

    private func matches(_ node: NameTable.Node, _ label: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        guard Int(node.labelLength) == length else { return false }
        return labels.withUnsafeBufferPointer {
            LabelHash.equal($0.baseAddress! + Int(node.labelOffset), label, length)
        }
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 4)
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
