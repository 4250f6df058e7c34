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

extension MigrationTests {
    /// What version 5 keeps beside the ones before.
    static let version5 = """

        INSERT INTO selection VALUES (4, 'productive', '["khan"]', '["learning"]', '["example.org"]');
        INSERT INTO verification VALUES (4, 'Asia/Tokyo', 'https://example.org', 1795262400000,
            '{"at":"2026-11-21T12:00:00.000Z","date":"2026-11-19","minutes":7,'
            || '"outcome":{"deltaMinutes":-2,"status":"updated"}}',
            '{"at":"2026-11-21T12:00:00.000Z","failure":"It did not answer."}');
        INSERT INTO shared_default VALUES
            (4, 'group.com.disciplinedungeon.shared', 'dd.screentime.request.v1',
                '{"date":"2026-11-20","timezone":"Asia/Tokyo"}'),
            (4, 'group.com.disciplinedungeon.shared', 'dd.screentime.snapshot.v1',
                '{"computedAt":"2026-11-21T12:00:00.125Z","date":"2026-11-19","timezone":"UTC","verifiedMinutes":7}'),
            (4, 'group.com.disciplinedungeon.shared', 'dd_ext_invoked_ts', '1795262400.5'),
            (4, 'group.com.disciplinedungeon.shared', 'dd_ext_completed_ts', '1795262401.001');
        INSERT INTO outbound_credential VALUES (4, zeroblob(40));
        INSERT INTO verified_upload VALUES (4, 1, '2026-11-19', 45, 'ios_deviceactivity_v2', 'UTC', 0, 0);
        INSERT INTO verified_connection VALUES (4, 1, 1, 'UTC', 0);
        INSERT INTO verified_selection VALUES (4, 1, 'upload', '...', 5, 2, 0);
        """

    static var expectedWithVerified: Household {
        var household = expectedWithFocus
        household.people[1].verified = VerifiedStoreTests.filled()
        household.people[1].verified.productive = AppSelection(
            apps: ["khan"], categories: ["learning"], domains: ["example.org"])
        return household
    }
}
