import Foundation

/// What a deep link asks for. One parser for every spelling: `/start?minutes=N`,
/// `web+monofocus://start?minutes=N` and `monofocus://start?minutes=N`.
package enum FocusLink: Hashable, Sendable {
    case start(Preset)
    /// Another scheme or host: shows the focus page and changes nothing.
    case page

    /// The scheme that is registered with browsers, and the app's own.
    package static let schemes = ["web+monofocus", "monofocus"]

    /// - Parameter link: a path with its query, or a whole address with one of `schemes`.
    package init(_ link: String) {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
            .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard Self.isStart(parts[0]) else {
            self = .page
            return
        }
        self = .start(Self.preset(query: parts.count > 1 ? parts[1] : ""))
    }

    /// `/start`, or the host `start` of one of our schemes; schemes and hosts ignore case (RFC 3986).
    private static func isStart(_ address: Substring) -> Bool {
        if address == "/start" { return true }
        let parts = address.lowercased().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, schemes.contains(String(parts[0])), parts[1].hasPrefix("//") else {
            return false
        }
        return parts[1].dropFirst(2).prefix { $0 != "/" } == "start"
    }

    /// The first of several `minutes` counts.
    private static func preset(query: Substring) -> Preset {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0].removingPercentEncoding == "minutes" else { continue }
            return Preset(link: parts.count > 1 ? parts[1].removingPercentEncoding : nil)
        }
        return .standard
    }
}
