import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store
import Synchronization

/// A form that came without a login, and so did nothing.
struct KeptForm: Sendable {
    /// Its path and query.
    let action: String
    /// The page on which it was, as a path; nil if the browser does not say.
    let page: String?
    /// Nil for a form that no page shows again: with a passcode, a file or too much in it.
    let fields: [(name: String, value: String)]?
    let at: Date
}

/// The forms that came without a login, so that a log-in leads back to them: in memory, for half an hour. The browser
/// knows its form by a cookie.
final class KeptForms: Sendable {
    private struct Entry {
        let form: KeptForm
        let since: Double
        var isShown = false
    }

    /// In seconds.
    static let patience = 30 * 60.0
    private static let most = 64
    private let entries = Mutex<[String: Entry]>([:])

    /// - Parameter uptime: seconds of a clock that never goes back.
    /// - Returns: the key by which it is found again.
    func keep(_ form: KeptForm, at uptime: Double) -> String {
        let key = SymmetricKey(size: .bits128).withUnsafeBytes { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        entries.withLock { entries in
            entries = entries.filter { uptime - $0.value.since <= Self.patience }
            if entries.count >= Self.most, let oldest = entries.min(by: { $0.value.since < $1.value.since }) {
                entries[oldest.key] = nil
            }
            entries[key] = Entry(form: form, since: uptime)
        }
        return key
    }

    /// The form of these keys that still waits to be shown.
    func waiting(_ keys: [String], at uptime: Double) -> KeptForm? {
        entry(keys, at: uptime).flatMap { $0.entry.isShown ? nil : $0.entry.form }
    }

    /// The form of these keys, also at a reload. From now on no log-in leads to it.
    func shown(_ keys: [String], at uptime: Double) -> KeptForm? {
        guard let found = entry(keys, at: uptime) else { return nil }
        entries.withLock { $0[found.key]?.isShown = true }
        return found.entry.form
    }

    private func entry(_ keys: [String], at uptime: Double) -> (key: String, entry: Entry)? {
        let known = entries.withLock { $0 }
        return keys.compactMap { key in known[key].map { (key, $0) } }
            .first { uptime - $0.1.since <= Self.patience }
    }
}

/// The cookie by which a browser finds its form again.
enum KeptFormCookie {
    private static func name(isSecure: Bool) -> String { isSecure ? "__Host-si-form" : "si-form" }

    static func values(in request: Request, _ visit: Visit) -> [String] {
        BrowserCookie.values(of: name(isSecure: visit.isSecure), in: request)
    }

    static func set(_ key: String, _ visit: Visit, on response: inout Response) {
        BrowserCookie.append(
            "\(name(isSecure: visit.isSecure))=\(key); Max-Age=\(Int(KeptForms.patience))", visit.isSecure,
            to: &response)
    }
}

extension Desk {
    /// Keeps a form that came from one of our pages without a login. Another site, or a program, gets nothing kept.
    func keepForm(_ request: Request, _ visit: Visit, for response: inout Response) {
        guard let page = request.ownPage else { return }
        let form = KeptForm(
            action: request.uri.description, page: page.asOwnPath, fields: sentFields, at: clock.now())
        KeptFormCookie.set(keptForms.keep(form, at: uptime()), visit, on: &response)
    }

    func waitingForm(_ request: Request, _ visit: Visit) -> KeptForm? {
        keptForms.waiting(KeptFormCookie.values(in: request, visit), at: uptime())
    }

    /// What the request's form said, without its token; nil for a form with a passcode or the like, which no page shows
    /// again.
    var sentFields: [(name: String, value: String)]? {
        guard let pairs = Caller.current?.sent.answered?.pairs,
            !pairs.contains(where: { ["passcode", "current", "accessToken"].contains($0.name) })
        else { return nil }
        return pairs.filter { $0.name != "csrf" }
    }
}

extension Request {
    /// The path of our page from which this request came, as the browser says; empty if it names no page, nil if it came
    /// from none.
    var ownPage: String? {
        if let text = headers[.referer], let from = URLComponents(string: text), let host = from.host {
            let place = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
            let authority = place + (from.port.map { ":\($0)" } ?? "")
            guard head.authority?.lowercased() == authority.lowercased() else { return nil }
            return from.percentEncodedPath + (from.percentEncodedQuery.map { "?" + $0 } ?? "")
        }
        // `OriginCheck` refuses other sites.
        return headers[.origin] == nil ? nil : ""
    }
}
