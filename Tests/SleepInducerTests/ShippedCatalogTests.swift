import Assets
import Policy
import Testing

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
