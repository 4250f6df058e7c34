import Assets
import Policy
import Testing

@testable import Enforcement
@testable import SleepInducer

/// What is compiled in can be used, whole.
@Suite struct ShippedCatalogTests {
    @Test func theCompiledCatalogIsValid() throws {
        let catalog = try ShippedCatalog.load(from: AssetLibrary())
        #expect(catalog.apps.count >= 150)
        #expect(catalog.categories.count >= 14)
        #expect(catalog.validate() == [])
        #expect(catalog.app(owning: "www.tiktok.com")?.id == "tiktok")
        #expect(!catalog.alwaysReachable.isEmpty)
    }
}

/// The compiled addresses of servers that speak DNS over HTTPS.
@Suite struct EncryptedResolversTests {
    @Test func areAddressesOfWhomEverybodyKnows() {
        let json = AssetLibrary().asset(at: EncryptedResolvers.path)?.bytes ?? []
        let addresses = EncryptedResolvers.addresses(in: json)
        #expect(addresses.count > 100)
        #expect(addresses.isSuperset(of: ["8.8.8.8", "1.1.1.1", "9.9.9.9", "2606:4700:4700::1111"]))
        // nft takes no set in which networks overlap; these are few, and told apart by their first three groups.
        let networks = addresses.filter { $0.contains("/") }
        let beginnings = networks.map { $0.split(whereSeparator: ".:".contains).prefix(3) }
        #expect(Set(beginnings).count == networks.count)
        #expect(EncryptedResolvers.owns("firefox.dns.nextdns.io") && EncryptedResolvers.owns("dns.google"))
        #expect(!EncryptedResolvers.owns("www.google.com"))
    }
}
