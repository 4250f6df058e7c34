package import Foundation
package import Policy

/// What a blocked page shows instead of itself: one look for each layer (design.md, Shield).
package struct ShieldPage: Page {
    package static let template = "shield"

    /// The sleep layer's look.
    package struct Sleep: Sendable {
        package let ring: CountdownRing
        /// `07:00`.
        package let backAt: String
    }

    package let title: String
    /// The name that was opened, for example `tiktok.com`; it comes from a stranger.
    package let name: String
    /// `sleep`, `windows`, `limits`, `focus`; empty when nothing blocks any more.
    package let layer: String
    package let sleep: Sleep?
    /// When the block ends, for the other layers' sentence.
    package let until: String?
    package let windows: Bool
    package let limits: Bool
    package let focus: Bool
    /// A name that is not blocked but still arrived here: the client's cache lets go within seconds.
    package let isLettingGo: Bool
    /// Absolute address of `/help` on the server's own name; nil: the household switched it off.
    package let help: String?
    /// Whether this is `/shield?name=…` on the dashboard, where nothing is to be opened.
    package let isPreview: Bool

    /// For a name that `block` blocks. `help` shows on the sleep look only.
    package init(
        name: String, block: Block, now: Date, zone: TimeZone, help: String? = nil, isPreview: Bool = false
    ) {
        let clock = ClockFace(zone: zone)
        self.name = name
        layer = block.layer.rawValue
        sleep =
            block.layer == .sleep
            ? block.until.map { end in
                Sleep(
                    ring: CountdownRing(startedAt: block.since, endsAt: end, now: now),
                    backAt: clock.time(end))
            } : nil
        until = block.until.map(clock.time)
        windows = block.layer == .windows
        limits = block.layer == .limits
        focus = block.layer == .focus
        isLettingGo = false
        self.help = block.layer == .sleep ? help : nil
        self.isPreview = isPreview
        title = block.layer == .sleep ? "Sleep Mode Active" : "Blocked"
    }

    /// For a name that is open again (503 with `Retry-After: 10`); never reloads by itself.
    package init(lettingGo name: String) {
        self.name = name
        layer = ""
        sleep = nil
        until = nil
        (windows, limits, focus) = (false, false, false)
        isLettingGo = true
        help = nil
        isPreview = false
        title = "Open again"
    }
}
