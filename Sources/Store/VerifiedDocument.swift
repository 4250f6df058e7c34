import Foundation
import Policy

/// A person's verified minutes as JSON, with the app group's own keys; never the token (DD-042).
struct VerifiedDocument: Codable {
    var productiveApps: SortedSelection?
    var timeZone: String?
    var baseURL: String?
    var stagedAt: Date?
    var upload: UploadResult?
    var sync: SyncResult?
    var shared: Shared

    struct Shared: Codable {
        var request: ScreenTimeComputationRequest?
        var snapshot: ScreenTimeSnapshot?
        var invoked: Double?
        var completed: Double?

        private enum CodingKeys: String, CodingKey {
            case request = "dd.screentime.request.v1"
            case snapshot = "dd.screentime.snapshot.v1"
            case invoked = "dd_ext_invoked_ts"
            case completed = "dd_ext_completed_ts"
        }
    }

    private enum CodingKeys: String, CodingKey {
        case productiveApps, timeZone, baseURL, stagedAt, upload, sync
        case shared = "group.com.disciplinedungeon.shared"
    }

    init(_ verified: VerifiedMinutes) {
        productiveApps = verified.productive?.sorted
        timeZone = verified.timeZone
        baseURL = verified.server?.base
        stagedAt = verified.stagedAt
        upload = verified.upload
        sync = verified.sync
        shared = Shared(
            request: verified.request, snapshot: verified.snapshot,
            invoked: verified.invokedAt?.asStored.timeIntervalSince1970,
            completed: verified.completedAt?.asStored.timeIntervalSince1970)
    }

    var verified: VerifiedMinutes {
        var verified = VerifiedMinutes()
        verified.productive = productiveApps?.selection
        verified.timeZone = timeZone.flatMap { CivilZone($0) == nil ? nil : $0 }
        verified.server = baseURL.flatMap { try? VerifiedServer(typed: $0) }
        verified.stagedAt = stagedAt
        verified.upload = upload
        verified.sync = sync
        verified.request = shared.request
        verified.snapshot = shared.snapshot
        verified.invokedAt = shared.invoked.map { Date(timeIntervalSince1970: $0).asStored }
        verified.completedAt = shared.completed.map { Date(timeIntervalSince1970: $0).asStored }
        return verified
    }
}
