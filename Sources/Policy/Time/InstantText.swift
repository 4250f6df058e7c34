package import Foundation

extension Date {
    /// ISO 8601 in UTC as pages, events and the API write instants. Milliseconds are written if there are any, so that
    /// a page counts down to the exact moment at which the server acts.
    package var instantText: String {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded(.down)
        let rounded = Date(timeIntervalSince1970: milliseconds / 1000)
        let hasFraction = milliseconds.truncatingRemainder(dividingBy: 1000) != 0
        return rounded.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }
}
