import Foundation
import NIOHTTP1

/// What a button of the shield posts: `app`, `expires`, `seal`, the `path` to return to, and the `reason` of a question;
/// nothing else.
struct ActionForm: Hashable {
    let app: String
    /// In seconds since 1970.
    let expires: Int
    let seal: String
    let path: String
    /// As it was typed.
    let reason: String?

    /// Nil for anything that our own page would not send.
    init?(_ body: [UInt8]) {
        var fields: [String: String] = [:]
        for part in body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            let halves = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let name = Self.decoded(halves[0]), let value = Self.decoded(halves[1]),
                ["app", "expires", "seal", "path", "reason"].contains(name),
                fields.updateValue(value, forKey: name) == nil
            else { return nil }
        }
        guard let app = fields["app"], !app.isEmpty, app.utf8.count <= 200, let seal = fields["seal"],
            let text = fields["expires"], text.utf8.count <= 12,
            text.utf8.allSatisfy({ (48...57).contains($0) }),
            let expires = Int(text)
        else { return nil }
        self.app = app
        self.expires = expires
        self.seal = seal
        path = LocalPath.checked(fields["path"] ?? "/")
        reason = fields["reason"]
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        String(validating: bytes, as: UTF8.self)?.replacingOccurrences(of: "+", with: " ")
            .removingPercentEncoding
    }
}

/// A path under the same Host, for a redirect back.
enum LocalPath {
    /// The longest path in a form, in bytes: form encoding can triple it.
    static let mostInForm = 1_000

    /// `/` for a path that could lead to another Host or a button, break a header, or is too long for a form.
    static func checked(_ text: String) -> String {
        text.utf8.count <= mostInForm && isSafe(text) ? text : "/"
    }

    /// Whether it stays on the same Host, whatever its length, and leads to no button.
    static func isSafe(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.first == UInt8(ascii: "/")
            && bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
            && !text.hasPrefix("//") && !text.hasPrefix(ShieldAnswer.corner)
    }
}

/// Whether a post comes from the Host's own page, as far as the browser tells (`Origin`, `Sec-Fetch-Site`).
enum FormOrigin {
    static func isOwn(_ headers: HTTPHeaders) -> Bool {
        let sites = headers["sec-fetch-site"]
        guard sites.isEmpty || sites == ["same-origin"] else { return false }
        let origins = headers["origin"]
        guard let origin = origins.first else { return true }
        guard origins.count == 1, let host = headers.first(name: "host") else { return false }
        return ["http": ":80", "https": ":443"].contains { scheme, port in
            let bare = host.lowercased().hasSuffix(port) ? String(host.dropLast(port.count)) : host
            let own = "\(scheme)://\(bare)".lowercased()
            return [own, own + port].contains(origin.lowercased())
        }
    }
}
