/// Finds lookups that a timer makes, not a person: brief ones at a regular beat.
struct Beat {
    /// The indices of an app's stretches on one device that are background.
    static func background(in stretches: [UseTrack.Stretch], pause: Int) -> Set<Int> {
        let known = Set(stretches.indices.filter { stretches[$0].isBackground })
        guard stretches.count >= UsageRule.beats else { return known }
        let beat = Beat(stretches, pause: pause)
        var found = beat.polls().union(known)
        for name in Set(stretches.map(\.name)) { found.formUnion(beat.refreshes(of: name)) }
        return found
    }

    private let stretches: [UseTrack.Stretch]
    private let pause: Int
    /// The group of each stretch, counted from 0: one moment or a longer time of activity.
    private var groups: [Int] = []
    /// How many stretches each group has.
    private var sizes: [Int] = []
    /// For each group, how many groups up to it were longer than a background refresh.
    private var longOnes: [Int] = []

    private init(_ stretches: [UseTrack.Stretch], pause: Int) {
        self.stretches = stretches
        self.pause = pause
        var (start, end) = (Int.min, Int.min / 2)
        for stretch in stretches {
            if stretch.first - end > UsageRule.stretch {
                longOnes.append(longOnes.last ?? 0)
                sizes.append(0)
                start = stretch.first
            }
            let wasLong = end - start > UsageRule.brief && sizes.last != 0
            end = max(end, stretch.last)
            if !wasLong, end - start > UsageRule.brief { longOnes[longOnes.count - 1] += 1 }
            sizes[sizes.count - 1] += 1
            groups.append(sizes.count - 1)
        }
    }

    private func isMoment(_ index: Int) -> Bool {
        let group = groups[index]
        return longOnes[group] == (group > 0 ? longOnes[group - 1] : 0)
    }

    /// Lookups of one name with nothing else of the app around them, at most about a pause apart: a page or an app that
    /// was left open and polls. A film's lookups are as rare and can be regular by chance, so a poll needs more proof:
    /// the chain is judged as a whole, and must be longer and steadier.
    private func polls() -> Set<Int> {
        var found: Set<Int> = []
        var chain: [Int] = []
        func close() {
            let intervals = zip(chain, chain.dropFirst()).map { stretches[$1].first - stretches[$0].first }
            if chain.count >= UsageRule.polls, Self.variation(of: intervals) < UsageRule.pollVariation {
                found.formUnion(chain)
            }
            chain = []
        }
        for (index, stretch) in stretches.enumerated() {
            let isSingle = isMoment(index) && sizes[groups[index]] == 1
            if let last = chain.last.map({ stretches[$0] }),
                !isSingle || last.name != stretch.name || stretch.first - last.first > pause * 5 / 4
            {
                close()
            }
            if isSingle { chain.append(index) }
        }
        close()
        return found
    }

    /// Refreshes of one name, more than a pause apart, with or without other names. Use hides when the refresh before
    /// it was; once the beat is known, a refresh after use counts too.
    private func refreshes(of name: Int) -> Set<Int> {
        let own = stretches.indices.filter { stretches[$0].name == name }
        // The intervals that count: from one moment to the next, without use between.
        let intervals: [Int?] = zip(own, own.dropFirst()).map { earlier, later in
            guard isMoment(earlier), isMoment(later), longOnes[groups[earlier]] == longOnes[groups[later]],
                stretches[later].first - stretches[earlier].last > pause
            else { return nil }
            return stretches[later].first - stretches[earlier].first
        }
        guard let beat = Self.beat(of: intervals) else { return [] }
        let onBeat = intervals.map { interval in
            interval.map { abs(Double($0) / beat - 1) <= 1.5 * UsageRule.variation } ?? false
        }
        let found = own.indices.filter { place in
            guard isMoment(own[place]) else { return false }
            if place > 0, onBeat[place - 1] { return true }
            if place < onBeat.count, onBeat[place] { return true }
            guard place > 0, intervals[place - 1] == nil else { return false }
            return stretches[own[place]].first - stretches[own[place - 1]].last > pause
        }
        return Set(found.map { own[$0] })
    }

    /// The mean of the latest regular intervals, three or more in a row; nil if there is no beat.
    private static func beat(of intervals: [Int?]) -> Double? {
        let length = UsageRule.beats - 1
        guard intervals.count >= length else { return nil }
        for start in (0...intervals.count - length).reversed() {
            let window = intervals[start..<start + length].compactMap { $0 }
            if window.count == length, variation(of: window) < UsageRule.variation { return mean(window) }
        }
        return nil
    }

    private static func mean(_ values: [Int]) -> Double { Double(values.reduce(0, +)) / Double(values.count) }

    private static func variation(of intervals: [Int]) -> Double {
        let mean = mean(intervals)
        let square = intervals.map { (Double($0) - mean) * (Double($0) - mean) }.reduce(0, +)
        return (square / Double(intervals.count)).squareRoot() / mean
    }
}
