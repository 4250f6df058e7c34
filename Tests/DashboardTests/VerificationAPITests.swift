import Dashboard
import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Synchronization
import Testing

/// Discipline Dungeon's two addresses, exactly (DD-047 to DD-061).
@Suite struct VerificationAPITests {
    static let upload = "/api/verification/ios/upload"
    static let connection = "/api/verification/ios/connection"

    static let selection =
        #"{"v":1,"encodedPlistBase64":"YnBsaXN0MDA=","applicationTokenCount":5,"categoryTokenCount":2,"webDomainTokenCount":0}"#

    private static let list = "YnBsaXN0MDA="

    static func body(
        date: String = #""2026-11-19""#, minutes: String = "120", zone: String = #""America/New_York""#,
        source: String = #""ios_deviceactivity_v2""#, computedAt: String = #""2026-11-20T10:30:00Z""#,
        selection: String = selection
    ) -> String {
        #"{"date":\#(date),"verifiedMinutes":\#(minutes),"raw":{"source":\#(source),"timezone":\#(zone),"#
            + #""selection":\#(selection),"computedAtISO8601":\#(computedAt)}}"#
    }

    static func program(
        _ house: TestHouse, _ test: @escaping @Sendable (Guest) async throws -> Void
    ) async throws {
        let token = try house.store.createToken(name: "iPhone", at: house.clock.now)
        try await house.visit { guest in
            try await test(guest.with(.authorization, "Bearer \(token)"))
        }
    }

    @Test(
        "DD-057, DD-058, DD-059: 200 for created, updated and unchanged, with the signed delta; in usage as an upload"
    )
    func receipts() async throws {
        let house = try TestHouse()
        try await Self.program(house) { program in
            for (minutes, receipt) in [
                ("120", #"{"date":"2026-11-19","status":"created","deltaMinutes":120}"#),
                ("120", #"{"date":"2026-11-19","status":"unchanged","deltaMinutes":0}"#),
                ("95", #"{"date":"2026-11-19","status":"updated","deltaMinutes":-25}"#),
                ("1500", #"{"date":"2026-11-19","status":"updated","deltaMinutes":1405}"#),
            ] {
                let response = try await program.json(.post, Self.upload, Self.body(minutes: minutes))
                #expect(response.status == .ok)
                #expect(response.text == receipt)
            }
            let example = try await program.json(.post, Self.upload, Self.body(date: #""2025-12-17""#))
            #expect(example.text == #"{"date":"2025-12-17","status":"created","deltaMinutes":120}"#)
            let usage = try await program.get("/api/v1/usage?date=2026-11-19")
            #expect(
                usage.text.contains(
                    #"{"app":"verified-minutes","name":"Verified Minutes","minutes":1500,"attempts":0,"source":"upload"}"#
                ), "\(usage.text)")
        }
        let kept = try house.store.receivedUploads(of: PersonID(rawValue: 1))
        #expect(kept.map(\.source) == ["ios_deviceactivity_v2", "ios_deviceactivity_v2"])
        #expect(kept.map(\.timezone) == ["America/New_York", "America/New_York"])
    }

    @Test(
        "DD-059: 50 twice with two tokens, and once more from the page, is 50; newer members are passed over")
    func oneLedger() async throws {
        let house = try TestHouse()
        let day = #"{"date":"2026-11-19","status":"%","deltaMinutes":"#
        for (number, status) in ["created", "unchanged", "unchanged"].enumerated() {
            try await Self.program(house) { program in
                let sent = Self.body(minutes: "50").replacing(
                    #""raw":{"#, with: #""app":{"build":7},"raw":{"new":[1],"#)
                let response = try await program.json(.post, Self.upload, sent)
                let expected = day.replacing("%", with: status) + (number == 0 ? "50}" : "0}")
                #expect(response.text == expected)
            }
        }
        let kept = try house.store.receivedUploads(of: PersonID(rawValue: 1))
        #expect(kept.map(\.minutes) == [50])
    }

    @Test("DD-060, DD-061: the connection is kept, and answered as it holds")
    func connections() async throws {
        let house = try TestHouse()
        let ours = WireSelection(AppSelection(apps: ["tiktok"])).encodedPlistBase64
        try await Self.program(house) { program in
            for text in ["YnBsaXN0MDA=", ours] {
                let sent =
                    #"{"enabled":true,"timezone":"Asia/Tokyo","selection":{"v":1,"encodedPlistBase64":"\#(text)","#
                    + #""applicationTokenCount":1,"categoryTokenCount":0,"webDomainTokenCount":0}}"#
                let response = try await program.json(.patch, Self.connection, sent)
                #expect(response.status == .ok)
                #expect(response.text == sent)
            }
        }
        let kept = try house.store.receivedConnection(of: PersonID(rawValue: 1))
        #expect(kept?.selection?.encodedPlistBase64 == ours)
    }

    @Test(
        "What cannot be used: a problem with a code of its own, which names the member",
        arguments: [
            (body(date: #""2026-02-30""#), 422, "date-unreadable", "date"),
            (body(date: #""2026-11-21""#), 422, "date-out-of-range", "date"),
            (body(date: #""1999-12-31""#), 422, "date-out-of-range", "date"),
            (body(date: "20261119"), 422, "invalid-input", "date"),
            (body(minutes: "-1"), 422, "minutes-out-of-range", "verifiedMinutes"),
            (body(minutes: "1501"), 422, "minutes-out-of-range", "verifiedMinutes"),
            (body(minutes: "9223372036854775807"), 422, "minutes-out-of-range", "verifiedMinutes"),
            (body(minutes: "1e400"), 400, "invalid-json", ""),
            (body(minutes: "1.5"), 422, "invalid-input", "verifiedMinutes"),
            (body(minutes: #""120""#), 422, "invalid-input", "verifiedMinutes"),
            (body(minutes: "null"), 422, "invalid-input", "verifiedMinutes"),
            (body(zone: #""PST""#), 422, "unknown-zone", "raw.timezone"),
            (body(zone: #""unknown""#), 422, "unknown-zone", "raw.timezone"),
            (body(zone: "5"), 422, "invalid-input", "raw.timezone"),
            (body(source: #""""#), 422, "source-unreadable", "raw.source"),
            (body(computedAt: #""noon""#), 422, "computed-at-unreadable", "raw.computedAtISO8601"),
            (
                body(selection: selection.replacing(#""v":1"#, with: #""v":2"#)), 422,
                "selection-version-unknown",
                "raw.selection.v"
            ),
            (
                body(selection: selection.replacing(":5", with: ":-5")), 422, "token-count-out-of-range",
                "raw.selection"
            ),
            (
                body(selection: selection.replacing(":5", with: ":10001")), 422, "token-count-out-of-range",
                "raw.selection"
            ),
            (body(selection: "{}"), 422, "invalid-input", "raw.selection.v"),
            (body(selection: "[]"), 422, "invalid-input", "raw.selection"),
            (
                body(selection: selection.replacing(list, with: String(repeating: "A", count: 131_073))),
                422,
                "invalid-input", "raw.selection.encodedPlistBase64"
            ),
            (
                body(selection: selection.replacing(list, with: "...")), 422, "selection-unreadable",
                "raw.selection.encodedPlistBase64"
            ),
            (
                body(selection: selection.replacing(list, with: "YnBsaXN0MDA")), 422, "selection-unreadable",
                "raw.selection.encodedPlistBase64"
            ),
            (
                body(selection: selection.replacing(#""v":1"#, with: #""v":1,"v":1"#)), 422, "repeated",
                "raw.selection.v"
            ),
            (
                body().replacing(#""date""#, with: #""d\u0061te":"2026-11-18","date""#), 422, "repeated",
                "date"
            ),
            (body(source: #""a\nb""#), 422, "source-unreadable", "raw.source"),
            (#"{"date":"2026-11-19","verifiedMinutes":120}"#, 422, "invalid-input", "raw"),
            (body().replacing(#""date""#, with: #""dates""#), 422, "invalid-input", "date"),
            ("{", 400, "invalid-json", ""), ("[]", 400, "invalid-json", ""),
            ("", 422, "invalid-input", "date"),
            ("\"\u{0}\"", 400, "invalid-json", ""),
            (String(repeating: "[", count: 60_000), 400, "invalid-json", ""),
            (String(repeating: " ", count: 300_000), 413, "too-large", ""),
        ])
    func refusals(_ body: String, _ status: Int, _ code: String, _ member: String) async throws {
        let house = try TestHouse()
        try await Self.program(house) { program in
            let response = try await program.with(.contentType, "application/json").postRaw(
                Self.upload, body, type: "application/json")
            #expect(response.status.code == status, "\(response.text)")
            #expect(response.object["code"] as? String == code)
            #expect(response.headers[.contentType] == "application/problem+json")
            if !member.isEmpty {
                #expect((response.object["errors"] as? [String: String])?[member] != nil, "\(response.text)")
            }
        }
        #expect(try house.store.receivedUploads(of: PersonID(rawValue: 1)).isEmpty)
    }

    @Test(
        "DD-048: 401 without a token or with a wrong one, with a login, and before set-up; 405; 415; 404 for nobody"
    )
    func admission() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            for stranger in [
                guest, guest.with(.authorization, "Bearer nope"), guest.with(.authorization, "Basic eA=="),
                try guest.signedIn(),
            ] {
                let upload = try await stranger.json(.post, Self.upload, Self.body())
                #expect(upload.status == .unauthorized)
                #expect(upload.headers[.wwwAuthenticate] == "Bearer")
                #expect(upload.object["code"] as? String == "unauthorized")
                #expect(try await stranger.json(.patch, Self.connection, "{}").status == .unauthorized)
            }
        }
        try await Self.program(house) { program in
            for (method, path) in [
                (HTTPRequest.Method.get, Self.upload), (.put, Self.upload), (.delete, Self.connection),
                (.post, Self.connection),
            ] {
                let response = try await program.json(method, path)
                #expect(response.status == .methodNotAllowed, "\(method) \(path)")
                #expect(response.object["code"] as? String == "method-not-allowed")
            }
            for type in [
                "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data",
            ] {
                let response = try await program.postRaw(Self.upload, Self.body(), type: type)
                #expect(response.status == .unsupportedMediaType, "\(type)")
                #expect(response.object["code"] as? String == "unsupported-media-type")
            }
            #expect(try await program.json(.post, Self.upload).status == .unsupportedMediaType)
            let charset = try await program.postRaw(
                Self.upload, Self.body(), type: "Application/JSON; charset=utf-8")
            #expect(charset.status == .ok)
            let nobody = try await program.json(.post, Self.upload + "?person=9", Self.body())
            #expect(nobody.status == .notFound)
        }
        try await TestHouse(isSetUp: false).visit { guest in
            let response = try await guest.json(.post, Self.upload, Self.body())
            #expect(response.status == .unauthorized)
            #expect(response.object["code"] as? String == "unauthorized")
        }
    }

    @Test("1,200 at once, then 20 a second, for each token by itself; the clock never goes back")
    func rate() async throws {
        let time = Mutex(1_000.0)
        let house = try TestHouse(uptime: { time.withLock { $0 } })
        let other = try house.store.createToken(name: "other", at: house.clock.now)
        try await Self.program(house) { program in
            for number in 0..<1_200 {
                let response = try await program.json(.post, Self.upload, Self.body(minutes: "\(number % 7)"))
                #expect(response.status == .ok)
            }
            let refused = try await program.json(.post, Self.upload, Self.body())
            #expect(refused.status == .tooManyRequests)
            #expect(refused.object["code"] as? String == "rate-limited")
            #expect(refused.headers[.retryAfter] == "1")
            #expect(try await program.json(.patch, Self.connection, "{}").status == .tooManyRequests)
            let second = program.with(.authorization, "Bearer \(other)")
            #expect(try await second.json(.post, Self.upload, Self.body()).status == .ok)
            // The household's clock does not matter.
            house.clock.advance(by: 3_600)
            #expect(try await program.json(.post, Self.upload, Self.body()).status == .tooManyRequests)
            time.withLock { $0 += 0.5 }
            for _ in 0..<10 {
                #expect(try await program.json(.post, Self.upload, Self.body()).status == .ok)
            }
            #expect(try await program.json(.post, Self.upload, Self.body()).status == .tooManyRequests)
        }
    }

    @Test("1,000 uploads at the same time, over the API: deltas add up to the last value")
    func concurrent() async throws {
        let house = try TestHouse()
        try await Self.program(house) { program in
            let deltas = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<1_000 {
                    let body = Self.body(minutes: "\(number * 11 % 1_501)")
                    group.addTask { try await Self.delta(of: body, by: program) }
                }
                return try await group.reduce(0, +)
            }
            let kept = try house.store.receivedUploads(of: PersonID(rawValue: 1))
            #expect(kept.map(\.minutes) == [deltas])
        }
    }

    private static func delta(of body: String, by program: Guest) async throws -> Int {
        let response = try await program.json(.post, upload, body)
        return try #require(response.object["deltaMinutes"] as? Int)
    }

    @Test("DD-021, C-01: the productive selection takes apps, categories and domains, apart from the others")
    func productive() async throws {
        let house = try TestHouse()
        try await Self.program(house) { program in
            let path = "/api/v1/selections/productive"
            #expect(try await program.get(path).text == #"{"apps":[],"categories":[],"domains":[]}"#)
            let saved = try await program.json(
                .put, path, #"{"apps":["tiktok"],"categories":["social"],"domains":["Example.org"]}"#)
            #expect(saved.text == #"{"apps":["tiktok"],"categories":["social"],"domains":["example.org"]}"#)
            #expect(try await program.get(path).text == saved.text)
            let unknown = try await program.json(.put, path, #"{"apps":["x"],"categories":[],"domains":[]}"#)
            #expect(unknown.object["code"] as? String == "unknown-ids")
        }
        #expect(house.me.allowed == AppSelection() && house.me.antiRot.restricted == nil)
    }

    @Test("Every address of the API is described with its methods, and nothing that is not there")
    func described() async throws {
        let house = try TestHouse()
        let served = Set(house.site.operations.filter { $0.hasPrefix("/api/") })
        try await house.visit { guest in
            let document = try await guest.get("/api/openapi.json").object
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let described = paths.flatMap { path, methods in methods.keys.map { "\(path) \($0.uppercased())" }
            }
            // An address with a parameter is described once for each value; the description does not describe itself.
            var expected = served.subtracting(["/api/openapi.json GET"])
            for method in ["GET", "PUT"] {
                expected.remove("/api/v1/selections/{use} \(method)")
                for use in ["allowed", "restricted", "productive"] {
                    expected.insert("/api/v1/selections/\(use) \(method)")
                }
            }
            #expect(Set(described) == expected)
        }
    }
}
