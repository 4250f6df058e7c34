import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite struct StaticFileTests {
    @Test("An ETag from the content, 304, a compressed twin, and kept for ever at a hashed address")
    func caching() async throws {
        try await TestHouse().visit { guest in
            let plain = try await guest.get("/assets/base.css")
            #expect(plain.headers[.contentType] == "text/css; charset=utf-8")
            #expect(plain.headers[.cacheControl] == "no-cache")
            #expect(plain.headers[.contentEncoding] == nil)
            let tag = try #require(plain.headers[.eTag])
            let hash = tag.filter { $0 != "\"" }
            let kept = try await guest.get("/assets/base.css?v=\(hash)")
            #expect(kept.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(try await guest.get("/assets/base.css?v=old").headers[.cacheControl] == "no-cache")
            for value in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let same = try await guest.with(.ifNoneMatch, value).get("/assets/base.css")
                #expect(same.status == .notModified, "\(value)")
                #expect(same.text.isEmpty)
            }
            let packed = try await guest.with(.acceptEncoding, "br, gzip;q=0.5").get("/assets/base.css")
            #expect(packed.headers[.contentEncoding] == "gzip")
            #expect(packed.headers[.vary] == "Accept-Encoding")
            #expect(packed.headers[.eTag] != tag)
            #expect(packed.text.utf8.count < plain.text.utf8.count)
            #expect(packed.body.getBytes(at: 0, length: 2) == [0x1F, 0x8B])
            let unpacked = try await guest.with(.acceptEncoding, "gzip;q=0").get("/assets/base.css")
            #expect(unpacked.headers[.contentEncoding] == nil)
        }
    }

    @Test(
        "A path that climbs finds nothing",
        arguments: [
            "../Package.swift", "%2e%2e/Package.swift", "..%2fPackage.swift", "", "nosuch.css", "/etc/passwd",
        ])
    func climbing(_ path: String) async throws {
        try await TestHouse().visit { guest in
            let response = try await guest.get("/assets/\(path)")
            #expect(response.status == .notFound)
        }
    }

    @Test("Health says what was refused; metrics are for a login or a token")
    func health() async throws {
        try await TestHouse(isReady: false).visit { guest in
            let health = try await guest.get("/healthz")
            #expect(health.status == .serviceUnavailable)
        }
        try await TestHouse(refused: ["DNS on port 53: in use"]).visit { guest in
            let health = try await guest.get("/healthz")
            #expect(health.status == .ok)
            #expect(health.object["refused"] as? [String] == ["DNS on port 53: in use"])
            #expect(try await guest.get("/metrics").status == .unauthorized)
            #expect(try await guest.at("127.0.0.1").get("/metrics").status == .unauthorized)
            let metrics = try await guest.signedIn().get("/metrics").text
            #expect(metrics.contains("sleep_inducer_viewers 0"))
        }
    }
}
