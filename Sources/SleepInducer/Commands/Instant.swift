import ArgumentParser
import Foundation

/// An instant in ISO 8601 with its offset, such as 2026-10-25T00:30:00Z or 2026-10-25T02:30:00+02:00.
struct Instant: ExpressibleByArgument {
    let date: Date

    init?(argument: String) {
        let plain = Date.ISO8601FormatStyle()
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? plain.parse(argument)) ?? (try? fractional.parse(argument)) else { return nil }
        self.date = date
    }
}
