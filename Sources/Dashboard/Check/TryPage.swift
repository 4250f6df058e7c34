package import Foundation
import Pages

/// "Try it for two minutes" on the asking device. GET `/check/try`; POST `/check/try`, POST `/check/try/end`.
package struct TryPage: Page {
    package static let template = "try"

    package let title = "Try it"
    package let validUntil: Date?
    /// `21:04`, while it runs.
    let until: String?
    /// A blocked page over plain HTTP, where the shield can be shown.
    let example: String
    /// Whether the device belongs to a person.
    let isEnrolled: Bool

    package init(tryUntil: Date?, port: Int?, isEnrolled: Bool, now: Date, zone: TimeZone) {
        validUntil = tryUntil.flatMap { $0 > now ? $0 : nil }
        until = validUntil.map { ClockFace(zone: zone).time($0) }
        example = Self.example(port: port)
        self.isEnrolled = isEnrolled
    }

    /// A name that no catalog has (RFC 2606): while the device rests, it leads to this server.
    static func example(port: Int?) -> String { "http://example.com\(port.map { ":\($0)" } ?? "")/" }
}
