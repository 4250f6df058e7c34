package import Foundation

/// A day's minutes as they are uploaded.
package struct VerifiedUpload: Hashable, Sendable {
    /// What we send as `raw.source`: the wire's term, although our figures come from DNS.
    package static let source = "ios_deviceactivity_v2"
    /// The length of `raw.source`, in characters.
    package static let sourceLength = 1...100
    /// Earlier days cannot be a true report.
    private static let earliest = CivilDate(year: 2000, month: 1, day: 1)

    package var date: CivilDate
    package var verifiedMinutes: Int
    /// The source that was sent, unchanged.
    package var source: String
    package var timezone: String
    package var selection: WireSelection
    package var computedAt: Date

    /// Throws for an invalid day, a day still to come where it was measured, an unknown zone, and impossible minutes.
    package init(
        date: String, verifiedMinutes: Int, source: String, timezone: String, selection: WireSelection,
        computedAtISO8601: String, at now: Date
    ) throws(Refusal) {
        guard let date = CivilDate(date) else { throw .dateUnreadable }
        guard let zone = CivilZone(timezone) else { throw .unknownZone }
        guard (Self.earliest...zone.date(of: now)).contains(date) else { throw .dateOutOfRange }
        guard VerifiedMinutes.range.contains(verifiedMinutes) else { throw .minutesOutOfRange }
        guard Self.sourceLength.contains(source.unicodeScalars.count),
            source.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .sourceUnreadable }
        guard let computedAt = Self.instant(computedAtISO8601) else { throw .computedAtUnreadable }
        self.date = date
        self.verifiedMinutes = verifiedMinutes
        self.source = source
        self.timezone = timezone
        self.selection = selection
        self.computedAt = computedAt
    }

    /// A result computed here.
    init(_ snapshot: ScreenTimeSnapshot, _ selection: AppSelection) {
        date = snapshot.date
        verifiedMinutes = snapshot.verifiedMinutes
        source = Self.source
        timezone = snapshot.timezone
        self.selection = WireSelection(selection)
        computedAt = snapshot.computedAt
    }

    /// UTC with Z, to the second.
    package var computedAtISO8601: String { computedAt.formatted(.iso8601) }

    /// ISO 8601 in UTC, with or without a fraction of a second.
    private static func instant(_ text: String) -> Date? {
        guard text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z/.asciiOnlyDigits()) != nil
        else {
            return nil
        }
        let isWhole = !text.contains(".")
        let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
        // Foundation reads the thirtieth of February as the second of March.
        guard let date, date.formatted(.iso8601).prefix(19) == text.prefix(19) else { return nil }
        return date
    }
}

/// What a person's device reports about itself.
package struct VerifiedConnection: Hashable, Sendable {
    package var enabled: Bool
    package var timezone: String
    package var selection: WireSelection

    package init(enabled: Bool, timezone: String, selection: WireSelection) throws(Refusal) {
        guard CivilZone(timezone) != nil else { throw .unknownZone }
        self.enabled = enabled
        self.timezone = timezone
        self.selection = selection
    }
}

/// What an upload changed for its day.
package struct UploadOutcome: Hashable, Codable, Sendable {
    package enum Status: String, Codable, Sendable { case created, updated, unchanged }

    package var status: Status
    /// New minus known minutes; an unknown day counts as 0.
    package var deltaMinutes: Int

    package init(status: Status, deltaMinutes: Int) {
        self.status = status
        self.deltaMinutes = deltaMinutes
    }

    package init(minutes: Int, known: Int?) {
        guard let known else {
            self.init(status: .created, deltaMinutes: minutes)
            return
        }
        self.init(status: minutes == known ? .unchanged : .updated, deltaMinutes: minutes - known)
    }
}
