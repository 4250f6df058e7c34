package import NIOCore

/// The health of one upstream, from clients' questions and from our own probes.
///
/// Pure: instants are passed in. All event loops share it, so that each learns from all.
struct UpstreamHealth {
    enum State: Equatable {
        case healthy
        /// It left a question unanswered. Until this instant it is asked last, and then by one question at a time
        /// (`isOnTrial`) until it answers.
        case backingOff(until: NIODeadline, isOnTrial: Bool)
        /// It asks this server in turn, so it is not used.
        case looping
    }

    /// The result of one probe.
    enum ProbeResult { case useful, refused, silence }

    /// The back-off after the first silence. Each further silence in a row doubles it, up to the longest.
    static let backOff = TimeAmount.seconds(10)
    static let longestBackOff = TimeAmount.seconds(300)
    /// How long a trial question has the server to itself.
    static let trial = TimeAmount.seconds(2)
    /// An upstream whose answers usually take longer is slow.
    static let slow = TimeAmount.milliseconds(150)
    /// A single name with slow servers counts at most this, so that it takes two of them.
    static let longestTime = TimeAmount.milliseconds(400)
    /// Without a proof over TCP, this many replies in another case, with none in the same case between them, prove that
    /// the server changes case. One of them may be a forger's, who guessed ID and port.
    static let enoughRecased = 3
    /// How long it is asked without EDNS after it failed a question with EDNS and answered the same one without.
    static let plainTime = TimeAmount.minutes(5)
    /// This many domains must fail: one domain with broken servers says nothing about the upstream.
    static let enoughInVain = 5
    /// How long useful answers may be missing before that is a trouble.
    static let patience = TimeAmount.seconds(60)
    /// How long that trouble is reported after the last failed question.
    static let memory = TimeAmount.minutes(10)

    private(set) var state = State.healthy
    /// It changes the case of letters in questions, so that 0x20 protects nothing: proven, and remembered as long as
    /// this server runs.
    private(set) var changesCase = false
    private var plainUntil = NIODeadline.uptimeNanoseconds(0)
    /// Questions in a row that it left unanswered.
    private(set) var silences = 0
    /// When it last answered anything.
    private(set) var heard: NIODeadline?
    /// How long its answers take: a moving average, in which the last one counts a quarter.
    private(set) var pace = TimeAmount.zero
    private var pacedAt = NIODeadline.uptimeNanoseconds(0)
    private var recased = 0
    private var hasLooped = false
    /// When it last gave a client a useful answer: an address, or that there is none.
    private var useful: NIODeadline?
    /// Domains that it has failed to look up for clients since then, with the first time: hashes of the last two
    /// labels.
    private var inVain: [Int: NIODeadline] = [:]
    private var lastInVain: NIODeadline?
    /// Probes in a row without a useful answer: how many, since when, and whether the last was refused.
    private var poorProbes: (count: Int, since: NIODeadline, areRefused: Bool)?

    // MARK: Whom to ask

    /// Whether to ask it before those that back off; nil: do not ask it. When its back-off is over, this question is
    /// its trial.
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

    /// Whether to ask another one at the same time: its answers usually take long. Once a minute it is asked alone, in
    /// case it is quicker now.
    mutating func isSlow(at now: NIODeadline) -> Bool {
        guard pace > Self.slow, pacedAt + Self.patience <= now else { return pace > Self.slow }
        pacedAt = now
        return false
    }

    mutating func took(_ time: TimeAmount, at now: NIODeadline) {
        pacedAt = now
        pace = .nanoseconds((3 * pace.nanoseconds + min(time, Self.longestTime).nanoseconds) / 4)
    }

    mutating func wasHeard(at now: NIODeadline) { heard = now }

    mutating func answered(at now: NIODeadline) {
        wasHeard(at: now)
        silences = 0
        if state != .looping { state = .healthy }
    }

    /// A question sent at `asked` has no answer. It counts only if the server answered nothing since then: a name with
    /// slow servers is not its fault.
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

    /// The loop check's question came back to this server. True if that is news.
    mutating func cameBack() -> Bool {
        defer { (state, hasLooped) = (.looping, true) }
        return state != .looping
    }

    /// The loop check's question did not come back. Silences during the loop are forgotten. True if that is news.
    mutating func stoppedLooping() -> Bool {
        guard state == .looping else { return false }
        (state, silences, poorProbes) = (.healthy, 0, nil)
        return true
    }

    /// Whether to look for a loop. A server that loops seems silent at first. A server that looped once is checked for
    /// good, because a lost question looks like an end of the loop.
    func mayLoop(at now: NIODeadline) -> Bool {
        hasLooped || poorProbes != nil || poorSince(at: now) != nil
    }

    // MARK: Quirks

    func knowsEDNS(at now: NIODeadline) -> Bool { plainUntil <= now }

    mutating func answeredWithEDNS() { plainUntil = .uptimeNanoseconds(0) }

    /// It answered a question without EDNS that it had failed with EDNS. True if that is news, which can be a mistake: the
    /// first question may have been lost, or may have failed for another reason.
    mutating func answeredOnlyWithoutEDNS(at now: NIODeadline) -> Bool {
        defer { plainUntil = now + Self.plainTime }
        return knowsEDNS(at: now)
    }

    /// A datagram was right except for the case of letters.
    ///
    /// - Parameter isProven: the server changed it over TCP too, where nobody else can forge a reply.
    /// - Returns: whether to take such datagrams from now on.
    mutating func changedCase(isProven: Bool) -> Bool {
        recased = min(recased + 1, Self.enoughRecased)
        if isProven || recased == Self.enoughRecased { changesCase = true }
        return changesCase
    }

    /// A reply kept the case, so the earlier ones in another case were forged.
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

    /// Takes the result of a probe. Clients' questions say more: some servers refuse probes, and others answer them
    /// without asking anybody. So a server that was useful to clients a moment ago is well, and so is a useful server
    /// that only refuses probes.
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

    /// Since when clients have got no useful answer; nil if that is no trouble.
    private func poorSince(at now: NIODeadline) -> NIODeadline? {
        guard inVain.count >= Self.enoughInVain, let first = inVain.values.min(), let lastInVain,
            first + Self.patience <= now, lastInVain + Self.memory > now
        else { return nil }
        return first
    }

    /// The trouble to tell the household. A single lost probe is no silence: it takes two.
    func trouble(at now: NIODeadline) -> UpstreamTrouble? {
        if state == .looping { return .loops }
        if let poorProbes, poorProbes.count > 1 {
            let lasts = now - poorProbes.since
            return poorProbes.areRefused ? .fruitless(for: lasts) : .silent(for: lasts)
        }
        return poorSince(at: now).map { .fruitless(for: now - $0) }
    }
}

/// The trouble of an upstream, and how long it has lasted.
package enum UpstreamTrouble: Hashable, Sendable {
    case silent(for: TimeAmount)
    /// It answers, but looks nothing up.
    case fruitless(for: TimeAmount)
    /// It asks this server in turn.
    case loops
}
