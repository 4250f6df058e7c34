import Foundation

/// The app group of old, with its own keys; instants are seconds since 1970.
private struct SharedDefaults: Codable, Hashable, Sendable, HasDefault {
    @Defaulted var request: ScreenTimeComputationRequest? = nil
    @Defaulted var snapshot: ScreenTimeSnapshot? = nil
    @Defaulted var invoked: Double? = nil
    @Defaulted var completed: Double? = nil

    enum CodingKeys: String, CodingKey {
        case request = "dd.screentime.request.v1"
        case snapshot = "dd.screentime.snapshot.v1"
        case invoked = "dd_ext_invoked_ts"
        case completed = "dd_ext_completed_ts"
    }
}

/// What is not in the app group stands beside it; the token never does.
private struct VerifiedDocument: Codable {
    @Defaulted var productiveApps: AppSelection? = nil
    @Defaulted var timeZone: String? = nil
    @Defaulted var baseURL: VerifiedServer? = nil
    @Defaulted var stagedAt: Date? = nil
    @Defaulted var upload: UploadResult? = nil
    @Defaulted var sync: SyncResult? = nil
    @Defaulted var shared = SharedDefaults()

    enum CodingKeys: String, CodingKey {
        case productiveApps, timeZone, baseURL, stagedAt, upload, sync
        case shared = "group.com.disciplinedungeon.shared"
    }
}

extension VerifiedMinutes: Codable {
    package init(from decoder: any Decoder) throws {
        let document = try VerifiedDocument(from: decoder)
        self.init()
        productive = document.productiveApps
        timeZone = document.timeZone.flatMap { CivilZone($0) == nil ? nil : $0 }
        server = document.baseURL
        stagedAt = document.stagedAt
        upload = document.upload
        sync = document.sync
        request = document.shared.request
        snapshot = document.shared.snapshot
        invokedAt = document.shared.invoked.map(Date.init(timeIntervalSince1970:))
        completedAt = document.shared.completed.map(Date.init(timeIntervalSince1970:))
    }

    package func encode(to encoder: any Encoder) throws {
        try VerifiedDocument(
            productiveApps: productive, timeZone: timeZone, baseURL: server, stagedAt: stagedAt,
            upload: upload, sync: sync,
            shared: SharedDefaults(
                request: request, snapshot: snapshot, invoked: invokedAt.map(Self.seconds),
                completed: completedAt.map(Self.seconds))
        ).encode(to: encoder)
    }

    /// To the millisecond, as every instant is kept.
    private static func seconds(_ instant: Date) -> Double {
        (instant.timeIntervalSince1970 * 1000).rounded() / 1000
    }
}
