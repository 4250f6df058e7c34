import Foundation
import Policy

extension RandomHousehold {
    mutating func verified() -> VerifiedMinutes {
        var verified = VerifiedMinutes()
        verified.productive = maybe(selection())
        verified.timeZone = maybe("Asia/Kathmandu")
        verified.server = maybe(try! VerifiedServer(typed: "https://example.org/base"))
        verified.request = maybe(ScreenTimeComputationRequest(date: night(), timezone: "UTC"))
        verified.stagedAt = maybe(instant())
        verified.snapshot = maybe(
            ScreenTimeSnapshot(
                date: night(), timezone: name(), verifiedMinutes: .random(in: 0...1_500, using: &random),
                computedAt: instant()))
        verified.invokedAt = maybe(instant())
        verified.completedAt = maybe(instant())
        verified.upload = maybe(
            UploadResult(
                date: night(), minutes: 12, at: instant(),
                outcome: maybe(UploadOutcome(minutes: 12, known: maybe(90))), failure: maybe(name()),
                destination: maybe(name())))
        verified.sync = maybe(SyncResult(at: instant(), failure: maybe(name()), destination: maybe(name())))
        return verified
    }
}
