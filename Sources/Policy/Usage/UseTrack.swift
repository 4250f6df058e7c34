/// The memory of one app on one device: when its foreground names were looked up, and what follows from that.
///
/// Nothing is final before it is forgotten. Each lookup weighs everything remembered anew, so that a pause can be
/// filled and a background beat be taken back later.
struct UseTrack {
    /// A stretch of time, in seconds since 1970, in which one name was asked for again and again.
    struct Stretch: Equatable {
        let name: Int
        let first: Int
        var last: Int
        /// Found to be background with stretches that are forgotten by now.
        var isBackground = false
    }

    /// A bound on memory and on the work for each lookup.
    static let memory = 48

    let person: PersonID
    let pause: Int
    /// In the order of their starts.
    private(set) var stretches: [Stretch] = []
    /// The end of a run that went on and is forgotten by now, in seconds since 1970.
    private(set) var openUntil: Int?
    /// The first refusal after each use, in seconds since 1970: use does not continue over a refusal.
    private var refusals: [Int] = []

    /// - Parameter openUntil: the last known instant of a run from before a restart.
    init(person: PersonID, pause: Int, openUntil: Int? = nil) {
        self.person = person
        self.pause = pause
        self.openUntil = openUntil
    }

    var newest: Int { stretches.map(\.last).max() ?? openUntil ?? 0 }

    /// The first minute since 1970 that the track can still change.
    var firstMinute: Int { openUntil.map { $0.minute + 1 } ?? stretches.first?.first.minute ?? 0 }

    /// - Parameter second: since 1970; an instant shortly before the newest counts as the newest.
    /// - Returns: whether the lookup is new: two address types are asked for at once.
    mutating func note(name: Int, at second: Int) -> Bool {
        let second = max(second, newest)
        if let index = stretches.lastIndex(where: { $0.name == name }),
            second - stretches[index].last <= UsageRule.stretch,
            !wasRefused(after: stretches[index].last, by: second)
        {
            guard stretches[index].last != second else { return false }
            stretches[index].last = second
        } else {
            if stretches.count == Self.memory { forget() }
            stretches.append(Stretch(name: name, first: second, last: second))
        }
        return true
    }

    /// Notes an attempt to open the app while it was blocked.
    mutating func refuse(at second: Int) {
        // After a clock was set back, counting begins anew with the next use.
        guard second >= newest - UsageRule.echo else { return }
        if let last = refusals.last, last > newest { return }
        refusals.append(max(second, newest + 1))
    }

    private func wasRefused(after last: Int, by next: Int) -> Bool {
        refusals.contains { $0 > last && $0 <= next }
    }

    /// Drops the oldest stretch; the use that it counted and the beat that it proved stay.
    private mutating func forget() {
        let oldest = stretches[0]
        if spans(of: stretches).contains(where: { $0.contains(oldest.last) }) {
            openUntil = max(openUntil ?? oldest.last, oldest.last)
        }
        let proved = Beat.background(in: stretches, pause: pause)
        stretches.removeFirst()
        let provable = Beat.background(in: stretches, pause: pause)
        for index in stretches.indices where proved.contains(index + 1) && !provable.contains(index) {
            stretches[index].isBackground = true
        }
        let start = openUntil ?? stretches.first?.first ?? Int.max
        refusals.removeAll { $0 <= start }
    }

    /// The minutes of use since 1970 from `firstMinute` on, in order, without overlaps.
    ///
    /// A run begins at the nearest full minute, so that many short runs do not add up to too many minutes.
    var minutes: [ClosedRange<Int>] {
        var merged: [ClosedRange<Int>] = []
        for span in spans(of: stretches) {
            let end = span.upperBound.minute
            let start = max(Self.firstMinute(of: span), firstMinute)
            guard start <= end else { continue }
            if let last = merged.last, start <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, end)
            } else {
                merged.append(start...end)
            }
        }
        return merged
    }

    private static func firstMinute(of span: ClosedRange<Int>) -> Int {
        min((span.lowerBound + 30).minute, span.upperBound.minute)
    }

    /// How many seconds after the beginning of its first minute the newest run began; 0 if it began before that.
    var lag: Int {
        spans(of: stretches).last.map { max(0, $0.lowerBound - Self.firstMinute(of: $0) * 60) } ?? 0
    }

    /// Runs of use, in seconds, without the background: two lookups within three minutes open a run, and it goes on
    /// over a pause without a refusal.
    private func spans(of stretches: [Stretch]) -> [ClosedRange<Int>] {
        let background = Beat.background(in: stretches, pause: pause)
        var spans: [ClosedRange<Int>] = []
        var run = openUntil.map { $0...$0 }
        // The latest lookup that has not opened a run.
        var lonely: Int?
        for (index, stretch) in stretches.enumerated() where !background.contains(index) {
            if let open = run, stretch.first - open.upperBound <= pause,
                !wasRefused(after: open.upperBound, by: stretch.first)
            {
                run = open.lowerBound...max(open.upperBound, stretch.last)
                continue
            }
            if let open = run { spans.append(open) }
            run = nil
            if let before = lonely, stretch.first - before <= UsageRule.opening,
                !wasRefused(after: before, by: stretch.first)
            {
                run = before...max(stretch.last, before)
                lonely = nil
            } else if stretch.last - stretch.first > UsageRule.echo {
                run = stretch.first...stretch.last
                lonely = nil
            } else {
                lonely = stretch.last
            }
        }
        return run.map { spans + [$0] } ?? spans
    }
}

extension Int {
    /// The minute since 1970 that a second lies in.
    var minute: Int { (self - (self < 0 ? 59 : 0)) / 60 }
}
