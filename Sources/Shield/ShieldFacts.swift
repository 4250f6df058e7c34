package import Foundation
package import Policy

/// What the shield asks of the rest of the house. All of it is called on event loops and must not wait.
package struct ShieldFacts: Sendable {
    /// The address by which the household knows whoever is at an address: a device has several, and asks for names by one.
    package var known: @Sendable (_ address: String) -> String
    /// Whose share counts for whoever has connected from an address.
    package var holder: @Sendable (_ address: String) -> Holder
    /// The verdict on a name (lower case, no trailing dot) for the device at an address (canonical text).
    package var verdict: @Sendable (_ address: String, _ name: String) -> NameVerdict
    package var now: @Sendable () -> Date
    /// The page as UTF-8 HTML; it escapes whatever it prints.
    package var page: @Sendable (ShieldContext) -> [UInt8]
    /// Does what a genuine press asks for and returns when DNS answers by it. The one that may take its time: it is
    /// called off the event loops.
    package var act: @Sendable (ShieldAction, ShieldContext) async -> ShieldOutcome
    /// Of the seals on the shield's forms; a secret of this house that is never logged.
    package var key: Data
    /// A style, script or icon by its path below `/.sleep-inducer/assets/`; nil: there is none.
    package var asset: @Sendable (_ path: String) -> ShieldAsset?

    package init(
        known: @escaping @Sendable (_ address: String) -> String = { $0 },
        holder: @escaping @Sendable (_ address: String) -> Holder = { Holder($0) },
        verdict: @escaping @Sendable (_ address: String, _ name: String) -> NameVerdict,
        now: @escaping @Sendable () -> Date, page: @escaping @Sendable (ShieldContext) -> [UInt8],
        act: @escaping @Sendable (ShieldAction, ShieldContext) async -> ShieldOutcome, key: Data,
        asset: @escaping @Sendable (_ path: String) -> ShieldAsset?
    ) {
        self.known = known
        self.holder = holder
        self.verdict = verdict
        self.now = now
        self.page = page
        self.act = act
        self.key = key
        self.asset = asset
    }
}

/// One file that a shield page may load.
package struct ShieldAsset: Sendable {
    package var contentType: String
    package var bytes: [UInt8]

    package init(contentType: String, bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
    }
}

/// Everything that a shield page says, as of one instant.
package struct ShieldContext: Sendable {
    /// The Host that was asked for, without port; punycoded and lower case, from the network all the same.
    package var name: String
    /// The asking device's.
    package var address: String
    /// Without a block: the name is not blocked (any more), and the page only says so.
    package var verdict: NameVerdict
    package var now: Date
    /// Where the server's own pages are, for links: `http://192.168.1.5` or `http://[fd00::5]:8080`.
    package var origin: String
    /// The path that was asked for, to which the buttons lead back: local, at most 1,000 printable characters.
    package var path: String
    /// What the buttons send along; nil where there are none.
    package var seals: ActionSeals?
    /// Words that take the place of the look.
    package var note: ShieldNote?

    package init(
        name: String, address: String, verdict: NameVerdict, now: Date, origin: String, path: String = "/",
        seals: ActionSeals? = nil, note: ShieldNote? = nil
    ) {
        self.name = name
        self.address = address
        self.verdict = verdict
        self.now = now
        self.origin = origin
        self.path = path
        self.seals = seals
        self.note = note
    }

    /// Whole seconds of the block, rounded up; nil without one.
    package var totalSeconds: Int? {
        verdict.block.flatMap { block in block.until.map { wholeSeconds(from: block.since, to: $0) } }
    }

    /// Whole seconds left, rounded up, never negative; nil without a block.
    package var remainingSeconds: Int? {
        verdict.block?.until.map { wholeSeconds(from: now, to: $0) }
    }
}

func wholeSeconds(from start: Date, to end: Date) -> Int {
    let seconds = end.timeIntervalSince(start).rounded(.up)
    return max(0, Int(exactly: min(seconds, 1e12)) ?? 0)
}
