import HTTPTypes
import HummingbirdTesting
import Policy
import Testing

@Suite struct SessionRoutesTests {
    @Test("SI-129, SI-130: starting leads to the active page")
    func starts() async throws {
        let house = try TestHouse()
        try await house.visit { guest in
            let owner = try guest.signedIn()
            let started = try await owner.post(
                "/session", [("durationMinutes", "120"), ("strictness", "strict")])
            #expect(started.status == .seeOther)
            #expect(started.location == "/session")
            let page = try await owner.get("/session")
            #expect(page.status == .ok)
            #expect(page.text.contains("Sleep Mode Active"))
            #expect(page.text.contains("Strict mode - session cannot be cancelled"))
        }
        #expect(house.session?.strictness == .strict)
    }
}
