import DNS
import Shield

/// The part of this process's open files and sockets that each room of the house may use at a time: where
/// none is left, the runtime traps.
struct FileShares: Sendable {
    /// For what opens and closes in passing: backups, uploads, the kernel's tables, timers, and addresses that come later.
    private static let reserve = 40
    /// The fewest files for all rooms together; with fewer, the server does not start.
    private static let least = 48

    let limit: Int
    /// What the house itself has open before anybody comes, the reserve, and the places that were asked for.
    let needed: Int
    private let loops: Int
    private let askedViewers: Int?

    /// - Parameters:
    ///   - limit: RLIMIT_NOFILE.
    ///   - loops: event loops; each has sockets of its own.
    ///   - addresses: that are listened on, by four sockets each that are kept twice, and one more for each loop.
    ///   - viewers: places for open streams (`--viewers`); nil: a share.
    init(limit: Int, loops: Int, addresses: Int, viewers: Int? = nil) {
        self.limit = limit
        self.loops = loops
        askedViewers = viewers
        needed = 20 + 3 * loops + addresses * (8 + 2 * loops) + Self.reserve + (viewers ?? 0)
    }

    /// - Throws: where they are too few to begin with.
    func check() throws(FewFiles) {
        if limit < needed + Self.least { throw FewFiles(limit: limit, needed: needed + Self.least) }
    }

    /// A quarter stays free: a connection is accepted a moment before another one is closed for it.
    private func share(_ percent: Int, of most: Int) -> Int {
        min(most, max(1, (limit - needed) * percent / 100 * 3 / 4))
    }

    var door: DoorLimits {
        var limits = DoorLimits()
        limits.strangers = share(12, of: limits.strangers)
        limits.guests = share(12, of: limits.guests)
        limits.leaving = share(4, of: limits.leaving)
        // Each has a socket on either side, and one while its name is looked up.
        limits.passing = share(26, of: limits.passing * 3) / 3
        // One holder gets no more than a half, so that it makes room for itself first.
        limits.strangersPerHolder = min(limits.strangersPerHolder, max(1, limits.strangers / 2))
        limits.guestsPerHolder = min(limits.guestsPerHolder, max(1, limits.guests / 2))
        limits.leavingPerHolder = min(limits.leavingPerHolder, max(1, limits.leaving / 2))
        limits.passingPerHolder = min(limits.passingPerHolder, max(1, limits.passing / 2))
        return limits
    }

    /// Open streams of the dashboard's pages, at most some thousands unless more are asked for.
    var viewers: Int { askedViewers ?? share(10, of: 4000) }

    var names: DNS.Resolver.Configuration.Bounds {
        var bounds = DNS.Resolver.Configuration.Bounds()
        bounds.connections = max(1, share(16, of: bounds.connections * 2 * loops) / (2 * loops))
        bounds.questions = max(2, share(16, of: bounds.questions * 2 * loops) / (2 * loops))
        bounds.streams = max(1, share(4, of: bounds.streams * loops) / loops)
        return bounds
    }
}

/// Why a server cannot start, in one line.
struct FewFiles: Error, CustomStringConvertible {
    let limit: Int
    let needed: Int

    var description: String {
        "This process may have \(limit) files open, and needs at least \(needed). Raise the limit (ulimit -n, LimitNOFILE=), or ask for fewer --viewers."
    }
}
