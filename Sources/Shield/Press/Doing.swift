package import Foundation
package import Policy

/// A suggestion that somebody does now, from the start of its timer. The sealed link of its page holds all of it:
/// nothing is stored, and the page outlives a reload and a restart and works without script.
package struct Doing: Hashable, Sendable {
    /// Its pages, by the last part of their paths.
    package enum Page: String, Hashable, Sendable {
        /// The farewell after "I'll do it".
        case left
        /// The timer.
        case doing
        /// "Well done", or "Give it a minute first".
        case done
    }

    /// In whole seconds since 1970.
    package let started: Int
    /// When the page showed the suggestion: the suggestion follows from that.
    package let shown: Int
    /// Where the farewell's link to the timer leads; empty until the link is sealed.
    package var start = ""
    /// Where the timer's "I did it" leads; empty until the link is sealed.
    package var done = ""
    /// Whether "I did it" came too early.
    package var isTooSoon = false

    package var timer: SuggestionTimer {
        SuggestionTimer(start: Date(timeIntervalSince1970: Double(started)))
    }
    package var shownAt: Date { Date(timeIntervalSince1970: Double(shown)) }

    package init(start: Date, shown: Int) {
        started = Int(start.timeIntervalSince1970.rounded(.down))
        self.shown = shown
    }

    fileprivate init?(started: Int?, shown: Int?) {
        guard let started, let shown else { return nil }
        (self.started, self.shown) = (started, shown)
    }
}

extension ShieldContext {
    /// What the seal of a timer's link vouches for. No app has a space in its id, so no button's seal is one of these.
    fileprivate func claim(_ doing: Doing) -> ActionSeal.Claim {
        claim(app: "doing \(doing.shown)", action: .done, expires: doing.started)
    }
}

extension ShieldDesk {
    /// `/.sleep-inducer/doing?…`: a sealed link to one of the pages; `/` without a suggestion.
    func link(to page: Doing.Page, _ context: ShieldContext) -> String {
        guard let doing = context.doing else { return "/" }
        let path = context.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "\(ShieldAnswer.corner)\(page.rawValue)?start=\(doing.started)&shown=\(doing.shown)"
            + "&seal=\(seal.seal(of: context.claim(doing)))&path=\(path)"
    }

    /// The page of such a link; nil if the link is not this device's, or not ours.
    func doing(_ query: String, _ context: ShieldContext) -> ShieldContext? {
        var fields: [Substring: String] = [:]
        for pair in query.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let value = String(halves[1]).removingPercentEncoding else { return nil }
            fields[halves[0]] = value
        }
        guard
            let doing = Doing(
                started: fields["start"].flatMap { Int($0) }, shown: fields["shown"].flatMap { Int($0) }),
            let mark = fields["seal"], doing.timer.start <= context.now,
            seal.isAuthentic(mark, of: context.claim(doing))
        else { return nil }
        var page = context
        (page.doing, page.path) = (doing, LocalPath.checked(fields["path"] ?? "/"))
        let (start, done) = (link(to: .doing, page), link(to: .done, page))
        page.doing?.start = start
        page.doing?.done = done
        return page
    }
}
