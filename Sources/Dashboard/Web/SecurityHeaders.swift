import HTTPTypes
import Hummingbird

/// The headers of every answer: they allow nothing from other sites, nothing inline, no frames and no storing.
///
/// Never HSTS: the name has to work over HTTP on every phone of the house. Isolation headers are sent only over TLS: on
/// plain HTTP, browsers ignore them and fill the console with warnings.
enum SecurityHeaders {
    static let policy = policy(images: [])

    /// The policy of a page that loads images from more hosts: the set-up check's one-time names.
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
        // With `no-referrer`, our own forms would post `Origin: null`.
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

extension Response {
    /// A line of text, for a request that is refused before anything else looks at it.
    static func refusal(_ text: String, _ status: HTTPResponse.Status, _ visit: Visit) -> Response {
        var response = Response.text(text, status: status)
        SecurityHeaders.dress(&response, isSecure: visit.isSecure)
        return response
    }
}

extension HTTPField.Name {
    static let crossOriginResourcePolicy = HTTPField.Name("Cross-Origin-Resource-Policy")!
}
