import Dashboard
import Foundation
import Pages
import Testing

/// The bar's five places hold every page.
@Suite struct PlacesTests {
    /// Answers to browsers and programs that are no pages.
    private static let files: Set = [
        "/apple-touch-icon-precomposed.png", "/apple-touch-icon.png", "/assets/**", "/captive-portal",
        "/events", "/favicon.ico", "/healthz", "/invitation/{id}", "/manifest.webmanifest", "/metrics",
        "/reign/{node}", "/robots.txt", "/service-worker.js",
        "/sessions.json", "/state", "/timer-state.json",
    ]

    @Test func everyPageHasItsPlace() throws {
        let house = try TestHouse()
        let addresses = house.site.operations.filter { $0.hasSuffix(" GET") }.map { String($0.dropLast(4)) }
        #expect(addresses.count > 60)
        for address in addresses where !address.hasPrefix("/api/") && !Self.files.contains(address) {
            #expect(Place.spot(of: address) != nil, "\(address) has no entry in Place.table")
        }
    }
}
