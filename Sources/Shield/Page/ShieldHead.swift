import NIOHTTP1

/// Headers of every answer that the shield gives under a foreign name: the browser must not cache, frame, sniff or run
/// anything of it, and no cookie is ever set.
enum ShieldHead {
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    static func make(
        _ status: HTTPResponseStatus, contentType: String, length: Int?, closing: Bool,
        extra: [(String, String)] = []
    ) -> HTTPResponseHead {
        var headers = HTTPHeaders([
            ("cache-control", "no-store"),
            ("content-security-policy", policy),
            ("content-type", contentType),
            // `no-referrer` would make our own forms post `Origin: null`.
            ("referrer-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
        ])
        if let length { headers.add(name: "content-length", value: String(length)) }
        if status == .serviceUnavailable { headers.add(name: "retry-after", value: "10") }
        headers.add(contentsOf: extra)
        if closing { headers.add(name: "connection", value: "close") }
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
