import Foundation
import HTTPTypes
import HummingbirdTesting
import Policy
import Store
import Testing

/// Programs that change what others change too (RFC 9110, 13.1.1).
@Suite struct IfMatchTests {
    @Test("A change for another revision than the one that was read is refused, and stores nothing")
    func ifMatch() async throws {
        let house = try TestHouse()
        let token = try house.store.createToken(name: "test", at: house.clock.now)
        try await house.visit { guest in
            let program = guest.with(.authorization, "Bearer \(token)")
            let bodies = [
                ("/api/v1/schedule", HTTPRequest.Method.put),
                ("/api/v1/selections/allowed", .put), ("/api/v1/selections/productive", .put),
                ("/api/v1/selections/restricted", .put), ("/api/v1/windows", .put), ("/api/v1/limits", .put),
            ]
            for (path, method) in bodies {
                let read = try await program.get(path)
                // Nothing was chosen yet; a change names a list.
                let body = path.hasSuffix("windows") ? #"{"windows":[],"confirm":true}"# : read.text
                let tag = try #require(read.headers[.eTag])
                try house.store.change { $0.people[0].name += "x" }
                let before = house.store.household
                let late = try await program.with(.ifMatch, tag).json(method, path, body)
                #expect(late.status == .preconditionFailed, "\(path)")
                #expect(late.object["code"] as? String == "changed", "\(path)")
                #expect(house.store.household == before, "\(path)")
                for tags in ["NOW", "\(tag), NOW", "*"] {
                    let now = try #require(try await program.get(path).headers[.eTag])
                    let taken = try await program.with(.ifMatch, tags.replacing("NOW", with: now))
                        .json(method, path, body)
                    #expect(taken.status == .ok, "\(path) \(tags) \(taken.text) \(body)")
                }
                let now = try #require(try await program.get(path).headers[.eTag])
                #expect(
                    try await program.with(.ifMatch, "W/\(now)").json(method, path, body).status
                        == .preconditionFailed, "a weak tag never matches")
            }
            let person = try await program.with(.ifMatch, "\"0\"").json(
                .patch, "/api/v1/people/1", #"{"name":"Al"}"#)
            #expect(person.status == .preconditionFailed && house.me.name != "Al")
            let device = try await program.with(.ifMatch, "\"0\"").json(
                .patch, "/api/v1/devices/1", #"{"name":"Al"}"#)
            #expect(device.status == .preconditionFailed && house.store.household.devices[0].name != "Al")
        }
    }
}
