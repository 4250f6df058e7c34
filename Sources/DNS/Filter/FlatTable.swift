import Directory

/// A key that hashes itself in a few instructions; `seed` is random, because clients choose some of the keys.
protocol FlatKey: Equatable {
    func hash(seed: UInt64) -> UInt64
}

/// A hash table with open addressing and without removal, for the counters of one event loop.
struct FlatTable<Key: FlatKey, Value> {
    private var slots: [Int32]
    private(set) var keys: [Key] = []
    var values: [Value] = []
    private let seed = UInt64.random(in: 1...UInt64.max)

    init() {
        slots = Array(repeating: -1, count: 128)
    }

    var count: Int { keys.count }

    /// The index of a key, −1 when it is absent.
    func index(of key: Key) -> Int {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: key.hash(seed: seed)) & mask
        while true {
            let index = Int(slots[place])
            if index < 0 || keys[index] == key { return index }
            place = (place + 1) & mask
        }
    }

    /// The index of a key; inserts `value` if the key is absent.
    mutating func insert(_ key: Key, _ value: @autoclosure () -> Value) -> Int {
        let known = index(of: key)
        if known >= 0 { return known }
        keys.append(key)
        values.append(value())
        if keys.count * 2 > slots.count {
            slots = Array(repeating: -1, count: slots.count * 2)
            for index in keys.indices { place(index) }
        } else {
            place(keys.count - 1)
        }
        return keys.count - 1
    }

    private mutating func place(_ index: Int) {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: keys[index].hash(seed: seed)) & mask
        while slots[place] >= 0 { place = (place + 1) & mask }
        slots[place] = Int32(index)
    }

    mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        for index in slots.indices { slots[index] = -1 }
    }
}

extension ClientAddress: FlatKey {
    func hash(seed: UInt64) -> UInt64 {
        let mixed = (high ^ seed) &* 0x9e37_79b9_7f4a_7c15 ^ low
        let product = (mixed ^ mixed >> 29) &* 0xbf58_476d_1ce4_e5b9
        return product ^ product >> 32
    }
}
