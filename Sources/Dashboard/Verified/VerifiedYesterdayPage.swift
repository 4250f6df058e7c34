package import Foundation
import Pages
package import Policy

/// Discipline Dungeon's third tab: yesterday's minutes, computed and uploaded.
///
/// POST `/verified/compute`, POST `/verified/upload` with `date`, the day that the page showed.
package struct VerifiedYesterdayPage: Page {
    package static let template = "verified-yesterday"

    package let title = "Yesterday"
    let tab = VerifiedTab.yesterday
    /// `2026-11-20`, and `Friday, 20 November` for people.
    let date: String
    let day: String
    let zoneName: String
    /// `23 hours long: the clocks were changed.`, on such a day.
    let lengthNote: String?
    let isEmptySelection: Bool
    /// The computed minutes of that day; nil if they were not computed.
    let minutes: Int?
    /// `1h 5m`, from one hour on.
    let minutesText: String?
    let computedAt: String?
    let isZero: Bool
    let isComputing: Bool
    let isOverdue: Bool
    /// Whether the sheet with the computation is open.
    let isSheetOpen: Bool
    let destination: String
    let upload: Upload?

    /// The result of the day's latest upload.
    struct Upload {
        /// `Uploaded: created, +120 minutes. It went to example.org.`
        let success: String?
        let failure: String?
    }

    package init(
        person: Person, household: Household, isSheetOpen: Bool = false, now: Date, zone: TimeZone
    ) {
        let verified = person.verified
        let own = verified.zone(in: household)
        let yesterday = own.yesterday(at: now)
        date = yesterday.description
        day = yesterday.long
        zoneName = own.identifier.replacing("_", with: " ")
        lengthNote = Self.length(of: yesterday, in: own)
        isEmptySelection = verified.productive?.isEmpty ?? true
        let progress = verified.progress(at: now, in: own)
        isComputing = progress == .computing
        isOverdue = progress == .overdue
        var snapshot: ScreenTimeSnapshot?
        if case .done(let done) = progress { snapshot = done }
        minutes = snapshot?.verifiedMinutes
        minutesText = snapshot.flatMap { $0.verifiedMinutes >= 60 ? $0.verifiedMinutes.minutesText : nil }
        computedAt = snapshot.map { ClockFace(zone: zone).stamp($0.computedAt) }
        isZero = minutes == 0
        self.isSheetOpen = isSheetOpen && (snapshot != nil || isComputing || isOverdue)
        destination = verified.destination
        upload = verified.upload.flatMap { $0.date == yesterday ? Upload($0) : nil }
    }

    private static func length(of date: CivilDate, in zone: CivilZone) -> String? {
        let hours = zone.dayLength(date) / 3600
        guard hours != 24 else { return nil }
        let text = hours == hours.rounded() ? "\(Int(hours))" : "\(hours)"
        return "It had \(text) hours: the clocks were changed."
    }
}

extension VerifiedYesterdayPage.Upload {
    init(_ result: UploadResult) {
        failure = result.failure?.naming(result.destination, "It was meant for")
        let words = result.outcome.map(Self.words) ?? "accepted, without a receipt"
        success = result.failure == nil ? "Uploaded: \(words).".naming(result.destination, "It went to") : nil
    }

    private static func words(_ outcome: UploadOutcome) -> String {
        let delta = outcome.deltaMinutes
        let sign = delta > 0 ? "+" : delta < 0 ? "−" : ""
        return "\(outcome.status.rawValue), \(sign)\(abs(delta)) minute\(abs(delta) == 1 ? "" : "s")"
    }
}

extension String {
    /// Adds a second sentence that names the server, because another server can be set by now.
    func naming(_ destination: String?, _ words: String) -> String {
        destination.map { "\(self) \(words) \($0)." } ?? self
    }
}
