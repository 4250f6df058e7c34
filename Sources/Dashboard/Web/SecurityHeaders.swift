import HTTPTypes
import Hummingbird

/// The headers that every answer carries: nothing from elsewhere, nothing inline, nothing framed, nothing kept.
///
/// Never HSTS: the name has to work over HTTP on every phone of the house. Isolation headers that browsers only
/// honour on trustworthy origins would fill the console of a page on plain HTTP, so they are sent over TLS only.
enum SecurityHeaders {
    static let policy = policy(images: [])

    /// The policy of a page that loads images from further hosts: the set-up check's one-time names.
    static func policy(images hosts: [String]) -> String {
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self'",
            (["img-src 'self' data:"] + hosts).joined(separator: " "),
            "connect-src 'self'", "manifest-src 'self'", "form-action 'self'", "base-uri 'none'",
            "frame-ancestors 'none'",
        ].joined(separator: "; ")
    }

    static func dress(_ response: inout Response, isSecure: Bool) {
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = policy
        }
        response.headers[.xContentTypeOptions] = "nosniff"
        // `no-referrer` would make our own forms post `Origin: null`.
        response.headers[.init("Referrer-Policy")!] = "same-origin"
        response.headers[.init("Permissions-Policy")!] =
            "camera=(), microphone=(), geolocation=(), payment=(), usb=(), screen-wake-lock=(self)"
        if response.headers[.crossOriginResourcePolicy] == nil {
            response.headers[.crossOriginResourcePolicy] = "same-origin"
        }
        response.headers[.init("X-Frame-Options")!] = "DENY"
        if isSecure { response.headers[.init("Cross-Origin-Opener-Policy")!] = "same-origin" }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    }
}

extension HTTPField.Name {
    static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
}
