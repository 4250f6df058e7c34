/// Where a figure of use comes from; every figure carries it.
///
/// In ascending exactness: `dns` sees names and guesses, an `upload` is a device's own report, a `relay` sees
/// connections, and a `gateway` sees all that a device sends. If several cover the same time, the most exact counts.
package enum UsageSource: Int, Codable, Sendable, Comparable, CaseIterable {
    case dns, upload, relay, gateway

    package static func < (a: UsageSource, b: UsageSource) -> Bool { a.rawValue < b.rawValue }

    /// The name for pages and programs.
    package var name: String {
        switch self {
        case .dns: "dns"
        case .upload: "upload"
        case .relay: "relay"
        case .gateway: "gateway"
        }
    }
}
