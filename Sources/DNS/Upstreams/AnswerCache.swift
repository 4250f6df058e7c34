import NIOCore

/// Answers by name, type, DO and CD, bounded in bytes; the clock hand evicts entries not used since it last passed.
struct AnswerCache {
    /// A kept answer with its times.
    struct Entry {
        let answer: Answer
        let hash: UInt64
        let stored: NIODeadline
        let expires: NIODeadline
        fileprivate var next: Int32
        fileprivate var wasUsed = false

        /// Whole seconds since it was stored.
        func age(_ now: NIODeadline) -> UInt32 {
            UInt32(max(0, min(Int64(UInt32.max), (now - stored).nanoseconds / 1_000_000_000)))
        }
    }

    /// How long an expired answer may still be served when all upstreams fail (RFC 8767).
    static let staleLimit = TimeAmount.hours(24)

    private let capacity: Int
    private(set) var bytes = 0
    private var buckets: [Int32]
    private var entries: [Entry?] = []
    private var free: [Int32] = []
    private var hand = 0
    private let seed = UInt64.random(in: 1...UInt64.max)

    /// - Parameter capacity: bytes, about.
    init(capacity: Int) {
        self.capacity = capacity
        var size = 256
        while size < capacity / 512 { size *= 2 }
        buckets = Array(repeating: -1, count: size)
    }

    var count: Int { entries.count - free.count }

    mutating func removeAll() { self = AnswerCache(capacity: capacity) }

    private func hash(_ name: WireName, _ type: UInt16, _ variant: UInt8) -> UInt64 {
        LabelHash.of(seed: seed ^ UInt64(type) << 8 ^ UInt64(variant), UnsafePointer(name.bytes), name.length)
    }

    private func place(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (buckets.count - 1) }

    /// The entry for a question, expired or not; `expires` tells which.
    mutating func entry(_ name: WireName, type: UInt16, variant: UInt8) -> Entry? {
        let hash = hash(name, type, variant)
        var index = Int(buckets[place(hash)])
        while index >= 0, let entry = entries[index] {
            if entry.hash == hash && entry.answer.answers(name, type: type, variant: variant) {
                if !entry.wasUsed { entries[index]!.wasUsed = true }
                return entry
            }
            index = Int(entry.next)
        }
        return nil
    }

    /// Keeps an answer in place of an older one; an answer without a lifetime is not kept.
    mutating func store(_ answer: Answer, for name: WireName, at now: NIODeadline) {
        let hash = hash(name, answer.type, answer.variant)
        remove(
            where: { $0.hash == hash && $0.answer.answers(name, type: answer.type, variant: answer.variant) },
            hash)
        guard answer.lifetime > 0, answer.cost * 4 <= capacity else { return }
        while bytes + answer.cost > capacity { evictOne() }
        let entry = Entry(
            answer: answer, hash: hash, stored: now, expires: now + .seconds(Int64(answer.lifetime)),
            next: buckets[place(hash)])
        if let index = free.popLast() {
            entries[Int(index)] = entry
            buckets[place(hash)] = index
        } else {
            entries.append(entry)
            buckets[place(hash)] = Int32(entries.count - 1)
        }
        bytes += answer.cost
    }

    private mutating func remove(where matches: (Entry) -> Bool, _ hash: UInt64) {
        var previous = -1
        var index = Int(buckets[place(hash)])
        while index >= 0, let entry = entries[index] {
            if matches(entry) {
                if previous < 0 {
                    buckets[place(hash)] = entry.next
                } else {
                    entries[previous]!.next = entry.next
                }
                entries[index] = nil
                free.append(Int32(index))
                bytes -= entry.answer.cost
                return
            }
            previous = index
            index = Int(entry.next)
        }
    }

    private mutating func evictOne() {
        while true {
            hand = hand + 1 < entries.count ? hand + 1 : 0
            guard let entry = entries[hand] else { continue }
            if entry.wasUsed {
                entries[hand]!.wasUsed = false
            } else {
                return remove(where: { $0.answer === entry.answer }, entry.hash)
            }
        }
    }
}
