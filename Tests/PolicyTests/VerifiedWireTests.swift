import Foundation
import Testing

@testable import Policy

/// What servers exchange: addresses, tokens, selections, uploads, and their effect.
@Suite struct VerifiedWireTests {
    private static let now = at("2025-12-18T10:31:00Z")

    private static func selection(
        _ version: Int = 1, _ text: String = "YnBsaXN0MDA=", _ counts: [Int] = [5, 2, 0]
    )
        throws(Refusal)
        -> WireSelection
    {
        try WireSelection(
            version: version, encodedPlistBase64: text, applicationTokenCount: counts[0],
            categoryTokenCount: counts[1], webDomainTokenCount: counts[2])
    }

    private static func upload(
        date: String = "2025-12-17", minutes: Int = 120, source: String = VerifiedUpload.source,
        zone: String = "America/New_York", computedAt: String = "2025-12-18T10:30:00Z", at now: Date = now
    ) throws(Refusal) -> VerifiedUpload {
        try VerifiedUpload(
            date: date, verifiedMinutes: minutes, source: source, timezone: zone, selection: try selection(),
            computedAtISO8601: computedAt, at: now)
    }

    @Test("DD-049 to DD-056: the document's own example is accepted")
    func example() throws {
        let upload = try Self.upload()
        #expect(upload.date == day("2025-12-17"))
        #expect(upload.verifiedMinutes == 120)
        #expect(upload.computedAtISO8601 == "2025-12-18T10:30:00Z")
        #expect(upload.selection.encodedPlistBase64 == "YnBsaXN0MDA=")
    }

    @Test("Days that do not exist, or have not begun where they were measured")
    func dates() throws {
        for date in ["", "2025-13-01", "2025-02-29", "17.12.2025", "2025-12-17T00:00:00Z", "２０２５-12-17"] {
            #expect(throws: Refusal.dateUnreadable, "\(date)") { try Self.upload(date: date) }
        }
        for date in ["2025-12-19", "9999-12-31", "1999-12-31", "0001-01-01"] {
            #expect(throws: Refusal.dateOutOfRange, "\(date)") { try Self.upload(date: date) }
        }
        // A day that has already begun in its zone can be reported.
        #expect(try Self.upload(date: "2025-12-19", zone: "Pacific/Kiritimati").date == day("2025-12-19"))
        #expect(try Self.upload(date: "2025-12-18").date == day("2025-12-18"))
    }

    @Test("DD-050: 0 to 1,500 minutes; DD-052: a zone of the database; DD-056: an instant in UTC")
    func ranges() throws {
        for minutes in [0, 1_500] { #expect(try Self.upload(minutes: minutes).verifiedMinutes == minutes) }
        for minutes in [-1, 1_501, .max, .min] {
            #expect(throws: Refusal.minutesOutOfRange) { try Self.upload(minutes: minutes) }
        }
        for zone in ["", "PST", "unknown", "Mars/Olympus"] {
            #expect(throws: Refusal.unknownZone) { try Self.upload(zone: zone) }
        }
        #expect(
            try Self.upload(computedAt: "2025-12-18T10:30:00.125Z").computedAt == at("2025-12-18T10:30:00Z")
                + 0.125)
        for instant in [
            "", "yesterday", "2025-12-18", "2025-12-18T10:30:00", "2025-12-18T10:30:00+01:00",
            "2025-13-18T10:30:00Z", "2026-02-30T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T10:00:60Z",
        ] {
            #expect(throws: Refusal.computedAtUnreadable, "\(instant)") {
                try Self.upload(computedAt: instant)
            }
        }
        for source in ["", String(repeating: "x", count: 101)] {
            #expect(throws: Refusal.sourceUnreadable) { try Self.upload(source: source) }
        }
        #expect(try Self.upload(source: "android_v1").source == "android_v1")
    }

    @Test("Counts, versions and sizes of selections")
    func selections() throws {
        #expect(throws: Refusal.selectionVersionUnknown) { try Self.selection(2) }
        #expect(throws: Refusal.tokenCountOutOfRange) { try Self.selection(1, "", [0, -1, 0]) }
        #expect(throws: Refusal.tokenCountOutOfRange) { try Self.selection(1, "", [0, 0, 10_001]) }
        let most = String(repeating: "A", count: WireSelection.maximum)
        #expect(try Self.selection(1, most).encodedPlistBase64.count == WireSelection.maximum)
        #expect(throws: Refusal.selectionTooLarge) { try Self.selection(1, most + "A") }
    }

    @Test("C-02, DD-054: ours is a property list in Base64")
    func plist() throws {
        let own = AppSelection(
            apps: ["duolingo", "own-a<&>\"b"], categories: ["learning"], domains: ["例え.jp", "example.org"])
        for selection in [own, AppSelection()] {
            let wire = WireSelection(selection)
            #expect(wire.applicationTokenCount == selection.apps.count)
            #expect(wire.webDomainTokenCount == selection.domains.count)
            let data = try #require(Data(base64Encoded: wire.encodedPlistBase64))
            let read = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            #expect(read?["sleepInducer"] as? Int == 1)
            #expect(read?["apps"] as? [String] == selection.apps.sorted())
            #expect(read?["categories"] as? [String] == selection.categories.sorted())
            #expect(read?["domains"] as? [String] == selection.domains.sorted())
        }
    }

    @Test("Other programs' content stays opaque") func opaque() throws {
        for text in ["...", "bplist0", "AAA", "AAAA\n", "A===", "AA=A", "{apps=(a);}"] {
            #expect(throws: Refusal.selectionUnreadable, "\(text)") { try Self.selection(1, text) }
        }
        let deep = "<?xml version=\"1.0\"?>" + String(repeating: "<array>", count: 12_000)
        for text in ["", "AAAA", "bplist00", "{apps=(a);}", deep] {
            let encoded = Data(text.utf8).base64EncodedString()
            #expect(try Self.selection(1, encoded).encodedPlistBase64 == encoded)
        }
    }

    @Test(
        "DD-036: a base with and without a slash at its end",
        arguments: [
            ("https://example.org", "https://example.org/api/verification/ios/upload"),
            ("https://example.org/", "https://example.org/api/verification/ios/upload"),
            (" http://192.168.1.5:8080/// ", "http://192.168.1.5:8080/api/verification/ios/upload"),
            (
                "https://example.org/functions/v1/",
                "https://example.org/functions/v1/api/verification/ios/upload"
            ),
            ("HTTPS://[fd00::1]:8443", "HTTPS://[fd00::1]:8443/api/verification/ios/upload"),
        ])
    func bases(_ typed: String, _ endpoint: String) throws {
        #expect(try VerifiedServer(typed: typed).endpoint(VerifiedServer.uploadPath) == endpoint)
    }

    @Test(
        "Bad addresses give a message, not a crash",
        arguments: [
            "", " ", "example.org", "example.org:8080", "ftp://example.org", "file:///etc/passwd", "https://",
            "https:///path", "https://user:secret@example.org", "https://example.org?x=1",
            "https://example.org#x",
            "https://exa mple.org", "https://example.org:0", "https://example.org:99999",
            "javascript:alert(1)",
            "https://example.org\\@evil.example", "https://bücher.example",
            "https://" + String(repeating: "a", count: 500),
        ])
    func badBases(_ typed: String) {
        #expect(throws: Refusal.serverAddressUnreadable) { try VerifiedServer(typed: typed) }
    }

    @Test("Access tokens fit into a header")
    func tokens() throws {
        #expect(try AccessToken.checked("  eyJh.eyJz.x_-9 \n") == "eyJh.eyJz.x_-9")
        #expect(throws: Refusal.accessTokenMissing) { try AccessToken.checked(" \n") }
        for text in ["a b", "a\r\nX-Evil: 1", "tökén", String(repeating: "x", count: 4_097)] {
            #expect(throws: Refusal.accessTokenUnreadable) { try AccessToken.checked(text) }
        }
    }

    @Test("DD-059, A-09: created, updated with a signed delta, unchanged with 0")
    func outcomes() {
        #expect(UploadOutcome(minutes: 120, known: nil) == UploadOutcome(status: .created, deltaMinutes: 120))
        #expect(UploadOutcome(minutes: 90, known: 120) == UploadOutcome(status: .updated, deltaMinutes: -30))
        #expect(UploadOutcome(minutes: 150, known: 120) == UploadOutcome(status: .updated, deltaMinutes: 30))
        #expect(UploadOutcome(minutes: 120, known: 120) == UploadOutcome(status: .unchanged, deltaMinutes: 0))
        #expect(UploadOutcome(minutes: 0, known: nil) == UploadOutcome(status: .created, deltaMinutes: 0))
    }
}
