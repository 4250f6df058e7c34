package import NIOCore

/// What is known of one server that names are looked up at: from clients' questions and from probes of our own.
///
/// Pure: instants come in. All event loops share it, so that what one finds holds for all.
struct UpstreamHealth {
    enum State: Equatable {
        case healthy
        /// It left a question unanswered. Until then it is asked last, and then by one question at a time (`isOnTrial`)
        /// until it answers.
        case backingOff(until: NIODeadline, isOnTrial: Bool)
        /// It asks this server in turn, so that it is not asked.
        case looping
    }

    /// What a proof has shown of it, for as long as this server runs.
    struct Quirks: OptionSet {
        let rawValue: UInt8
        /// It called a question with EDNS malformed, and answered the same one without.
        static let noEDNS = Quirks(rawValue: 1)
        /// It changes the case of letters in what it is asked, so that 0x20 protects nothing.
        static let changesCase = Quirks(rawValue: 2)
    }

    /// What one probe brought.
    enum ProbeResult { case useful, refused, silence }

    /// How long the first silence counts. Each further one in a row doubles it, up to the longest.
    static let backOff = TimeAmount.seconds(10)
    static let longestBackOff = TimeAmount.seconds(300)
    /// How long a question that tries the server has before another may.
    static let trial = TimeAmount.seconds(2)
    /// So many replies in another case, with none as it was asked in between, prove a change of case where TCP proves
    /// nothing. One of them may be a forger's, who guessed ID and port.
    static let enoughRecased = 3
    /// So many places have to be asked for in vain: one whose own servers are broken says nothing of the upstream.
    static let enoughInVain = 5
    /// How long nothing useful may come before that is amiss.
    static let patience = TimeAmount.seconds(60)
    /// How long it is said that nothing useful came, when nobody asks any more.
    static let memory = TimeAmount.minutes(10)

    private(set) var state = State.healthy
    private(set) var quirks: Quirks
    /// Questions in a row that it left unanswered.
    private(set) var silences = 0
    /// When it last answered anything.
    private(set) var heard: NIODeadline?
    private var recased = 0
    private var hasLooped = false
    /// When it last told a client's question an address, or that there is none.
    private var useful: NIODeadline?
    /// Places that it looked up for clients in vain since, and when first: the last two labels of names, as hashes.
    private var inVain: [Int: NIODeadline] = [:]
    private var lastInVain: NIODeadline?
    /// Probes in a row that brought nothing, since when, and whether the last was refused in words.
    private var poorProbes: (count: Int, since: NIODeadline, areRefused: Bool)?

    init(quirks: Quirks = []) { self.quirks = quirks }

    // MARK: Whom to ask

    /// Whether the next question goes to it before those that back off; nil: it does not go there at all. Where its time
    /// is over, this question tries it.
    mutating func comesFirst(at now: NIODeadline) -> Bool? {
        switch state {
        case .healthy: return true
        case .looping: return nil
        case .backingOff(let until, _):
            guard until <= now else { return false }
            state = .backingOff(until: now + Self.trial, isOnTrial: true)
            return true
        }
    }

    mutating func wasHeard(at now: NIODeadline) { heard = now }

    mutating func answered(at now: NIODeadline) {
        wasHeard(at: now)
        silences = 0
        if state != .looping { state = .healthy }
    }

    /// A question that was sent at an instant waits in vain. That says something of the server only when nothing else
    /// was answered since: a name whose own servers are slow is not its fault.
    mutating func wasSilent(sinceAsked asked: NIODeadline, at now: NIODeadline) {
        if let heard, heard >= asked { return }
        switch state {
        case .looping: return
        case .backingOff(let until, let isOnTrial): guard isOnTrial || until <= now else { return }
        case .healthy: break
        }
        silences = min(silences + 1, 6)
        let pause = TimeAmount.nanoseconds(Self.backOff.nanoseconds << Int64(silences - 1))
        state = .backingOff(until: now + min(pause, Self.longestBackOff), isOnTrial: false)
    }

    // MARK: Loops

    /// Its question came back to this server. True when that is news.
    mutating func cameBack() -> Bool {
        defer { (state, hasLooped) = (.looping, true) }
        return state != .looping
    }

    /// No question came back any more; what it left unanswered while it looped says nothing. True when that is news.
    mutating func stoppedLooping() -> Bool {
        guard state == .looping else { return false }
        (state, silences, poorProbes) = (.healthy, 0, nil)
        return true
    }

    /// Whether to look for a loop. A server that loops seems silent at first. A server that looped once is asked
    /// for good, because a lost question looks like an end of the loop.
    func mayLoop(at now: NIODeadline) -> Bool {
        hasLooped || poorProbes != nil || poorSince(at: now) != nil
    }

    // MARK: Quirks

    mutating func showed(_ quirk: Quirks) { quirks.insert(quirk) }

    /// A datagram was right but for the case of letters.
    ///
    /// - Parameter isProven: the server changed it over TCP too, where nobody else can put in a word.
    /// - Returns: whether such a datagram is taken from now on.
    mutating func changedCase(isProven: Bool) -> Bool {
        recased = min(recased + 1, Self.enoughRecased)
        if isProven || recased == Self.enoughRecased { showed(.changesCase) }
        return quirks.contains(.changesCase)
    }

    /// A reply came as it was asked, so that the ones before it in another case were a forger's.
    mutating func keptCase() { recased = 0 }

    // MARK: Use

    mutating func wasUseful(at now: NIODeadline) {
        useful = now
        inVain.removeAll()
    }

    mutating func wasInVain(_ name: WireName, at now: NIODeadline) {
        lastInVain = now
        guard inVain.count < Self.enoughInVain else { return }
        var hasher = Hasher()
        let start = name.labelCount > 2 ? Int(name.labels[name.labelCount - 2]) : 0
        hasher.combine(bytes: UnsafeRawBufferPointer(start: name.bytes + start, count: name.length - start))
        let place = hasher.finalize()
        inVain[place] = inVain[place] ?? now
    }

    /// Takes the result of a probe. Clients' questions say more than a probe, which some servers refuse and others answer
    /// without asking anybody: what was useful to clients a moment ago is well, and so is what only refuses the probe.
    mutating func probed(_ result: ProbeResult, at now: NIODeadline) {
        let servesClients = useful.map {
            now - $0 < Self.patience || result == .refused && inVain.isEmpty
        }
        if result == .useful || servesClients == true {
            poorProbes = nil
        } else {
            let (count, since) = (poorProbes?.count ?? 0, poorProbes?.since ?? now)
            poorProbes = (count + 1, since, result == .refused)
        }
    }

    /// Since when clients' questions got nothing useful, where that is amiss.
    private func poorSince(at now: NIODeadline) -> NIODeadline? {
        guard inVain.count >= Self.enoughInVain, let first = inVain.values.min(), let lastInVain,
            first + Self.patience <= now, lastInVain + Self.memory > now
        else { return nil }
        return first
    }

    /// What to tell the household. One probe that is lost is no silence: it takes two.
    func trouble(at now: NIODeadline) -> UpstreamTrouble? {
        if state == .looping { return .loops }
        if let poorProbes, poorProbes.count > 1 {
            let lasts = now - poorProbes.since
            return poorProbes.areRefused ? .fruitless(for: lasts) : .silent(for: lasts)
        }
        return poorSince(at: now).map { .fruitless(for: now - $0) }
    }
}

/// What is amiss with an upstream, and for how long.
package enum UpstreamTrouble: Hashable, Sendable {
    case silent(for: TimeAmount)
    /// It answers, but looks nothing up.
    case fruitless(for: TimeAmount)
    /// It asks this server in turn.
    case loops
}
