/// What is remembered of one app on one device: when its foreground names were asked for, and what follows from it.
///
/// Nothing is decided for good before it is forgotten: each lookup weighs all that is remembered anew, so that a pause
/// is filled, and a background beat is taken back, when they show.
struct UseTrack {
    /// A stretch of time, in seconds since 1970, in which one name was asked for again and again.
    struct Stretch: Equatable {
        let name: Int
        let first: Int
        var last: Int
        /// Found to be background by what is forgotten by now.
        var isBackground = false
    }

    /// A bound on memory and on the work per lookup.
    static let memory = 48

    let person: PersonID
    let pause: Int
    /// In the order of their beginnings.
    private(set) var stretches: [Stretch] = []
    /// The end of use that is not remembered any more, but went on, in seconds since 1970.
    private(set) var openUntil: Int?
    /// When it was refused, the first time after each use, in seconds since 1970: nobody used it over such a moment.
    private var refusals: [Int] = []

    /// - Parameter openUntil: where use was going on before the server was restarted, its last known instant.
    init(person: PersonID, pause: Int, openUntil: Int? = nil) {
        self.person = person
        self.pause = pause
        self.openUntil = openUntil
    }

    var newest: Int { stretches.map(\.last).max() ?? openUntil ?? 0 }

    /// The first minute since 1970 about which the track can still change its mind.
    var firstMinute: Int { openUntil.map { $0.minute + 1 } ?? stretches.first?.first.minute ?? 0 }

    /// - Parameter second: since 1970; a little before the newest counts as the newest.
    /// - Returns: whether that is new: two address types are asked for at once.
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

    /// Somebody reached for it while it was blocked.
    mutating func refuse(at second: Int) {
        // A clock that was set back: counting begins anew with the next use.
        guard second >= newest - UsageRule.echo else { return }
        if let last = refusals.last, last > newest { return }
        refusals.append(max(second, newest + 1))
    }

    private func wasRefused(after last: Int, by next: Int) -> Bool {
        refusals.contains { $0 > last && $0 <= next }
    }

    /// Lets go of the oldest stretch; whatever it counted for stays counted, and whatever it proved stays proved.
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
    /// A run begins with the nearest full minute, so that the minutes of many short ones are not too many.
    var minutes: [ClosedRange<Int>] {
        var merged: [ClosedRange<Int>] = []
        for span in spans(of: stretches) {
            let end = span.upperBound.minute
            let start = max(min((span.lowerBound + 30).minute, end), firstMinute)
            guard start <= end else { continue }
            if let last = merged.last, start <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, end)
            } else {
                merged.append(start...end)
            }
        }
        return merged
    }

    /// Runs of use, in seconds: opened by two lookups within three minutes, held over pauses in which it was not refused,
    /// without the background.
    private func spans(of stretches: [Stretch]) -> [ClosedRange<Int>] {
        let background = Beat.background(in: stretches, pause: pause)
        var spans: [ClosedRange<Int>] = []
        var run = openUntil.map { $0...$0 }
        // The latest lookup that opened nothing yet.
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
