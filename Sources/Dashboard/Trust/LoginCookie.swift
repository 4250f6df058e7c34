import HTTPTypes
import Hummingbird

/// The cookie of a login: `__Host-si` over TLS, `si` over HTTP.
enum LoginCookie {
    static func name(isSecure: Bool) -> String { isSecure ? "__Host-si" : "si" }

    static func values(in request: Request, isSecure: Bool) -> [String] {
        BrowserCookie.values(of: name(isSecure: isSecure), in: request)
    }

    static func set(_ token: String, isSecure: Bool, on response: inout Response) {
        BrowserCookie.set(name(isSecure: isSecure), token, isSecure: isSecure, on: &response)
    }

    static func clear(isSecure: Bool, on response: inout Response) {
        BrowserCookie.append("\(name(isSecure: isSecure))=; Max-Age=0", isSecure, to: &response)
    }
}

/// A cookie that scripts cannot read and other sites cannot send. It is Lax, because with Strict, deep links and the
/// shield's own link would come without a login.
enum BrowserCookie {
    /// Browsers keep no cookie longer than 400 days.
    private static let maximumAge = 400 * 24 * 60 * 60

    /// All values with the name; another port of this machine may have set one too.
    static func values(of name: String, in request: Request) -> [String] {
        let prefix = name + "="
        return request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
            .map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix(prefix) }
            .prefix(4)
            .map { String($0.dropFirst(prefix.count)) }
    }

    static func set(_ name: String, _ value: String, isSecure: Bool, on response: inout Response) {
        append("\(name)=\(value); Max-Age=\(maximumAge)", isSecure, to: &response)
    }

    static func append(_ pair: String, _ isSecure: Bool, to response: inout Response) {
        let cookie = "\(pair); Path=/; HttpOnly; SameSite=Lax\(isSecure ? "; Secure" : "")"
        response.headers.append(HTTPField(name: .setCookie, value: cookie))
    }
}
