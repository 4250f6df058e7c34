package import Directory
package import Foundation
package import Policy

/// What the shield asks the rest of the program. All but `act` is called on event loops and must not wait.
package struct ShieldFacts: Sendable {
    /// What must be done before the client at an address is known; nil: nothing.
    package var meet: @Sendable (_ address: String) -> (@Sendable () async -> Void)?
    /// The holder whose share a connection from an address uses.
    package var holder: @Sendable (_ address: IPAddress) -> Holder
    /// The verdict on a name (lower case, no trailing dot) for the device at an address (canonical text).
    package var verdict: @Sendable (_ address: String, _ name: String) -> NameVerdict
    package var now: @Sendable () -> Date
    /// The page as UTF-8 HTML; it escapes everything that it prints.
    package var page: @Sendable (ShieldContext) -> [UInt8]
    /// Carries out a genuine press and returns when DNS answers by it. It may take time: it runs off the event loops.
    package var act: @Sendable (ShieldAction, ShieldContext) async -> ShieldOutcome
    /// The key of the seals on the shield's forms; a secret of this household that is never logged.
    package var key: Data
    /// A style, script or icon by its path below `/.sleep-inducer/assets/`; nil if there is none.
    package var asset: @Sendable (_ path: String) -> ShieldAsset?

    package init(
        meet: @escaping @Sendable (_ address: String) -> (@Sendable () async -> Void)? = { _ in nil },
        holder: @escaping @Sendable (_ address: IPAddress) -> Holder = { Holder($0) },
        verdict: @escaping @Sendable (_ address: String, _ name: String) -> NameVerdict,
        now: @escaping @Sendable () -> Date, page: @escaping @Sendable (ShieldContext) -> [UInt8],
        act: @escaping @Sendable (ShieldAction, ShieldContext) async -> ShieldOutcome, key: Data,
        asset: @escaping @Sendable (_ path: String) -> ShieldAsset?
    ) {
        self.meet = meet
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
    /// The requested Host without port, punycoded and lower case; untrusted, because it comes from the network.
    package var name: String
    /// The asking device's address.
    package var address: String
    /// Without a block, the name is not blocked, or no longer, and the page only says so.
    package var verdict: NameVerdict
    package var now: Date
    /// The origin of the server's own pages, for links: `http://192.168.1.5` or `http://[fd00::5]:8080`.
    package var origin: String
    /// The requested path, to which the buttons lead back: local, at most 1,000 printable characters.
    package var path = "/"
    /// The reason that was typed with "Ask for 15 more minutes", and why it was refused.
    package var reason: String?
    package var reasonError: String?
    /// The suggestion that somebody does now; the page is then its timer.
    package var doing: Doing?
    /// What the buttons send along; nil without buttons.
    package var seals: ActionSeals?
    /// A message that replaces the usual page.
    package var note: ShieldNote?
    /// The browser's `Accept-Language`, untrusted: how it is used to read times.
    package var languages: String?
}

func wholeSeconds(from start: Date, to end: Date) -> Int {
    let seconds = end.timeIntervalSince(start).rounded(.up)
    return max(0, Int(exactly: min(seconds, 1e12)) ?? 0)
}
