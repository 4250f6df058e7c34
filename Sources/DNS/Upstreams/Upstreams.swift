import NIOCore

/// The servers that one event loop may ask, and what it remembers of them.
struct Upstreams {
    /// Which of the three lists a question goes to.
    enum Route: Sendable {
        /// Everything public.
        case world
        /// Names of the home.
        case home
        /// The names of encrypted upstreams.
        case bootstrap
    }

    struct Upstream {
        let server: UpstreamServer
        /// Its answers are checked for private addresses.
        let isPublic: Bool
        /// It led back to this server.
        var isDropped = false
        /// Silences in a row.
        var failures = 0
        /// It left two questions in a row without an answer.
        var isSilent: Bool { failures > 1 }
        /// It did not answer lately: asked last until then, and then by one question at a time until it answers.
        var suspectUntil = NIODeadline.uptimeNanoseconds(0)
        var isOnTrial = false
        /// When it answered last.
        var heard = NIODeadline.uptimeNanoseconds(0)
        var yield = UpstreamYield()
        /// It refused EDNS; asked without until then.
        var plainUntil = NIODeadline.uptimeNanoseconds(0)
    }

    /// How long one silence counts; each further one in a row doubles it, up to the longest.
    static let suspicion = TimeAmount.seconds(10)
    static let longestSuspicion = TimeAmount.seconds(300)
    /// How long a question that tries a suspect has before another may.
    static let trial = TimeAmount.seconds(2)

    private(set) var all: [Upstream]

    init(_ servers: [UpstreamServer]) {
        all = servers.map { Upstream(server: $0, isPublic: $0.isPublic) }
    }

    /// Indices in the order to ask: as configured, those that did not answer lately last. One whose time is over is
    /// tried by this question; others go on without it until it has answered.
    mutating func order(at now: NIODeadline) -> [Int] {
        let usable = all.indices.filter { !all[$0].isDropped }
        let trusted = usable.filter { all[$0].suspectUntil <= now }
        let suspects = usable.filter { all[$0].suspectUntil > now }
        for index in trusted where all[index].failures > 0 {
            all[index].suspectUntil = now + Self.trial
            all[index].isOnTrial = true
        }
        return trusted + suspects
    }

    mutating func drop(_ server: UpstreamServer) {
        for index in all.indices where all[index].server == server { all[index].isDropped = true }
    }

    /// It does not lead back here any more. What it left unanswered while it did says nothing.
    mutating func take(back server: UpstreamServer) {
        for index in all.indices where all[index].server == server {
            all[index].isDropped = false
            all[index].failures = 0
            all[index].isOnTrial = false
            all[index].suspectUntil = .uptimeNanoseconds(0)
        }
    }

    /// A question that was sent at an instant waits in vain. That says something of the server only when nothing else
    /// was answered since: a name whose own servers are slow is not its fault.
    mutating func suspect(_ index: Int, askedAt: NIODeadline, now: NIODeadline) {
        guard all[index].heard < askedAt, all[index].suspectUntil <= now || all[index].isOnTrial else {
            return
        }
        all[index].failures = min(all[index].failures + 1, 6)
        all[index].isOnTrial = false
        let nanoseconds = Self.suspicion.nanoseconds << Int64(all[index].failures - 1)
        all[index].suspectUntil =
            now + min(.nanoseconds(nanoseconds), Self.longestSuspicion)
    }

    mutating func trust(_ index: Int, at now: NIODeadline) {
        all[index].failures = 0
        all[index].isOnTrial = false
        all[index].suspectUntil = .uptimeNanoseconds(0)
        all[index].heard = now
    }

    mutating func note(_ index: Int, _ change: (inout UpstreamYield) -> Void) { change(&all[index].yield) }

    mutating func avoidEDNS(_ index: Int, at now: NIODeadline) {
        all[index].plainUntil = now + .minutes(10)
    }
}

extension Upstreams {
    var silent: Set<UpstreamServer> { Set(all.filter(\.isSilent).map(\.server)) }

    /// Those that answered within a minute, and nothing in vain since.
    func heard(at now: NIODeadline) -> Set<UpstreamServer> {
        Set(all.filter { $0.failures == 0 && $0.heard + .minutes(1) > now }.map(\.server))
    }
}
