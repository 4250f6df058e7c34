import Directory
package import NIOHTTP1

/// The shield's answer to one request on a foreign Host, before anything is rendered.
package enum ShieldAnswer: Hashable, Sendable {
    /// The page: 403 if the name is blocked, 503 if it is not, or no longer.
    case page(name: String)
    /// The same status with one line of text, for requests that do not show pages.
    case text(name: String)
    case events(name: String)
    /// The stream's current state, once.
    case state(name: String)
    case asset(path: String)
    /// A button of the page was pressed.
    case action(ShieldAction, name: String)
    /// A page of a suggestion that somebody does, by its link.
    case doing(Doing.Page, query: String, name: String)
    /// Whether the name still leads to this server: 204, or 403 while the name is blocked.
    case here(name: String)
    /// A button's path with another method than POST.
    case wrongMethod
    /// A path below `/.sleep-inducer/` that does not exist, or not with this method.
    case missing
    /// No Host, two of them, or an invalid one (RFC 9112, 3.2).
    case badRequest

    /// The shield's own paths on every blocked Host.
    package static let corner = "/.sleep-inducer/"

    package init(_ head: HTTPRequestHead) {
        let hosts = head.headers["host"]
        let host: HostValue =
            hosts.count == 1 ? HostValue(absoluteTarget: head.uri) ?? HostValue(hosts[0]) : .malformed
        let name: String
        switch host {
        case .name(let text), .address(let text): name = text
        case .malformed:
            self = .badRequest
            return
        }
        let path = Self.path(of: head.uri)
        guard path.hasPrefix(Self.corner) else {
            self = Self.wantsPage(head, path) ? .page(name: name) : .text(name: name)
            return
        }
        let rest = path.dropFirst(Self.corner.count)
        let isRead = head.method == .GET || head.method == .HEAD
        if isRead, rest.hasPrefix("assets/"), Self.isPlain(rest.dropFirst("assets/".count)) {
            self = .asset(path: String(rest.dropFirst("assets/".count)))
        } else if head.method == .GET && rest == "events" {
            self = .events(name: name)
        } else if isRead && rest == "state" {
            self = .state(name: name)
        } else if isRead && rest == "here" {
            self = .here(name: name)
        } else if isRead, let page = Doing.Page(rawValue: String(rest)) {
            self = .doing(page, query: Self.query(of: head.uri), name: name)
        } else if let action = ShieldAction(rawValue: String(rest)) {
            self = head.method == .POST ? .action(action, name: name) : .wrongMethod
        } else {
            self = .missing
        }
    }

    /// The path without scheme, authority, query and fragment.
    private static func path(of target: String) -> Substring {
        var rest = target[...]
        for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
            rest = rest.dropFirst(scheme.count).drop { $0 != "/" }
            break
        }
        return rest.prefix { $0 != "?" && $0 != "#" }
    }

    /// What follows the first question mark, without the fragment.
    private static func query(of target: String) -> String {
        let bare = target.prefix { $0 != "#" }
        return bare.firstIndex(of: "?").map { String(bare[bare.index(after: $0)...]) } ?? ""
    }

    /// Names joined by slashes, none hidden or empty, nothing escaped: it cannot leave its folder.
    private static func isPlain(_ path: Substring) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { name in
            guard let first = name.first, first != "." else { return false }
            return name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
        }
    }

    /// Whether a person wants a page: a navigation, or a program that accepts anything. Images, styles, scripts and
    /// data get a line of text, so that a page with many blocked parts costs nothing.
    private static func wantsPage(_ head: HTTPRequestHead, _ path: Substring) -> Bool {
        if let destination = head.headers.first(name: "sec-fetch-dest") {
            return ["document", "iframe", "frame"].contains(destination)
        }
        let accept = head.headers[canonicalForm: "accept"].map { $0.lowercased() }
        if accept.isEmpty { return true }
        if accept.contains(where: { $0.hasPrefix("text/html") || $0.hasPrefix("application/xhtml+xml") }) {
            return true
        }
        guard accept.allSatisfy({ $0.hasPrefix("*/*") || $0.hasPrefix("text/*") }) else { return false }
        return !parts.contains { path.hasSuffix($0) }
    }

    /// Endings of files that pages load with `Accept: */*`.
    private static let parts = [
        ".js", ".mjs", ".css", ".json", ".png", ".jpg", ".gif", ".webp", ".svg", ".ico", ".woff2", ".woff",
        ".mp4",
        ".m3u8", ".ts", ".wasm", ".xml",
    ]
}
