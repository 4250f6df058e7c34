package import Foundation
package import Policy

/// The page in place of a blocked one, with a look for each layer (design.md, Shield).
package struct ShieldPage: Page {
    package static let template = "shield"

    /// The sleep layer's look.
    package struct Sleep: Sendable {
        package let ring: CountdownRing
        /// `07:00`.
        package let backAt: String
        /// `23:18`: it opens within seconds, until then.
        package let awakeUntil: String?
        /// Absolute address of `/help` on the server's own name; nil if the household switched Help off.
        package let help: String?
        /// Absolute address of `/just-blocked` on the server's own name.
        package let justBlocked: String
        /// Absolute address of `/check/try`, where a try can be ended; nil for a night or a session.
        package let trial: String?
        /// The morning that this night leads to; shown by the script when the night is over.
        package let coming: NightEdge?
    }

    /// The windows layer's look: one link, which opens nothing, and no other control.
    package struct Windows: Sendable {
        /// Absolute address of `/anti-rot` on the server's own name.
        package let antiRot: String
        /// `today at 18:00`, `tomorrow at 10:00`; nil if no end is planned.
        package let opens: String?
    }

    /// The look of a way around the rules, such as a VPN's site: no time opens it.
    package struct WayOut: Sendable {
        /// Absolute address of `/my-rules` on the server's own name.
        package let myRules: String
    }

    /// The focus layer's look: how long it runs, and a link to the timer.
    package struct Focus: Sendable {
        package let ring: CountdownRing
        /// `14:35`.
        package let endsAt: String
        /// Absolute address of `/focus` on the server's own name.
        package let timer: String
    }

    /// A name that is not blocked but still leads here: the client's DNS cache expires within seconds.
    package struct Opening: Sendable {
        /// `21:31`, when "Unlock for 1 min" ends; nil if the name stays open.
        package let until: String?
        /// The app's name; nil if it has none.
        package let app: String?
        /// `23:18`, when sleep goes on; nil if it was not put off.
        package let awakeUntil: String?
        /// `Yes: 15 more minutes of TikTok.`, if that opened it.
        package let answer: String?
    }

    package let title: String
    /// The requested name, for example `tiktok.com`; untrusted.
    package let name: String
    /// `sleep`, `windows`, `limits`, `focus`; empty if nothing blocks the name any more.
    package let layer: String
    package let sleep: Sleep?
    package let windows: Windows?
    package let wayOut: WayOut?
    package let limits: LimitLook?
    package let focus: Focus?
    /// `07:00`, when the block ends; nil if no end is planned.
    package let until: String?
    package let opening: Opening?
    /// The morning, if a name stays blocked for another reason, or is just open again.
    package let edge: NightEdge?
    /// Absolute address of `/my-rules` on a device of the family, in place of links to a person's pages; else nil.
    package let rules: String?
    /// Whether this is `/shield?name=…` on the dashboard, which has nothing to open.
    package let isPreview: Bool

    /// - Parameters:
    ///   - origin: where the server's own pages are, for links; empty on the dashboard itself.
    ///   - morning: the person's; nil if the asker may not see it.
    ///   - isFamilys: whether the asking device is the family's.
    ///   - forms: what the buttons of the limits' look send along; nil: they do nothing.
    package init(
        name: String, verdict: NameVerdict, now: Date, zone: TimeZone, offersHelp: Bool = true,
        origin: String = "", suggestion: SuggestedTask? = nil, forms: ShieldForms? = nil,
        reason: ReasonField = ReasonField(id: "reason"), morning: Morning? = nil, isPreview: Bool = false,
        isFamilys: Bool = false
    ) {
        let clock = ClockFace(zone: zone)
        let block = verdict.block
        self.name = name
        self.isPreview = isPreview
        rules = isFamilys ? "\(origin)/my-rules" : nil
        layer = block?.layer.rawValue ?? ""
        until = block?.until.map { clock.end($0, from: now) }
        title =
            switch block?.layer {
            case .sleep: "Sleep Mode Active"
            case .windows: block?.isWaysOut == true ? "Closed here" : "Anti-Rot"
            case .limits: "Stop Scrolling"
            case .focus: "Focus"
            case nil: "Open again"
            }
        sleep = block.flatMap { block in
            guard block.layer == .sleep, let end = block.until else { return nil }
            return Sleep(
                ring: CountdownRing(startedAt: block.since, endsAt: end, now: now),
                backAt: clock.time(end), awakeUntil: verdict.awakeUntil.map(clock.time),
                help: offersHelp ? "\(origin)/help" : nil,
                justBlocked: "\(origin)/just-blocked",
                trial: block.isTry ? "\(origin)/check/try" : nil,
                coming: morning.flatMap { $0.began == end ? NightEdge(coming: $0) : nil })
        }
        windows = block.flatMap { block in
            block.layer == .windows && !block.isWaysOut
                ? Windows(
                    antiRot: "\(origin)/anti-rot", opens: block.until.map { clock.on($0, from: now) }) : nil
        }
        wayOut = block?.isWaysOut == true ? WayOut(myRules: "\(origin)/my-rules") : nil
        limits =
            block?.layer == .limits
            ? LimitLook(
                verdict.limit, name: name, until: until, clock: clock, suggestion: suggestion, forms: forms,
                reason: reason)
            : nil
        focus = block.flatMap { block in
            guard block.layer == .focus, let end = block.until else { return nil }
            return Focus(
                ring: CountdownRing(startedAt: block.since, endsAt: end, now: now),
                endsAt: clock.time(end), timer: "\(origin)/focus")
        }
        edge = block?.layer == .sleep ? nil : NightEdge(morning: morning, bedtime: nil, at: now)
        opening =
            block == nil
            ? Opening(
                until: verdict.probationEndsAt.map(clock.time), app: verdict.app?.name,
                awakeUntil: verdict.awakeUntil.map(clock.time),
                answer: verdict.probationEndsAt == nil && verdict.asked?.answer == .granted
                    ? verdict.asked.map { "Yes: \(TimeRequest.minutes) more minutes of \($0.targetName)." }
                    : nil)
            : nil
    }
}

extension ClockFace {
    /// `18:00` within a day, else `Saturday at 18:00`.
    fileprivate func end(_ instant: Date, from now: Date) -> String {
        guard instant.timeIntervalSince(now) > 86_400 else { return time(instant) }
        let text = coming(instant, from: now)
        return text.hasPrefix("Tomorrow") ? "t" + text.dropFirst() : text
    }
}
