import Foundation
import Policy
import Testing

@testable import DNS
@testable import Enforcement

/// The tags by which DNS counts names agree with the catalog, name by name.
@Suite struct TagBookTests {
    static let catalog = Catalog(
        categories: ["short-video", "video"].map { Policy.Category(id: $0, name: $0) },
        apps: [
            App(
                id: "tiktok", name: "TikTok", category: "short-video",
                suffixes: ["tiktok.com", "tiktokv.com", "cdn.com"],
                pages: ["tiktok.com", "www.tiktok.com", "log.cdn.com"],
                foreground: ["www.tiktok.com", "webcast.tiktok.com", "cdn.com"],
                service: ["log.tiktok.com", "mon.webcast.tiktok.com", "log.cdn.com"]),
            App(
                id: "youtube", name: "YouTube", category: "video", suffixes: ["youtube.com"],
                pages: ["youtube.com", "m.youtube.com", "other.youtube.com"], foreground: ["m.youtube.com"]),
        ], alwaysReachable: [])

    private static let names = [
        "tiktok.com", "www.tiktok.com", "a.www.tiktok.com", "webcast.tiktok.com", "mon.webcast.tiktok.com",
        "x.mon.webcast.tiktok.com", "log.tiktok.com", "other.tiktok.com", "api.tiktokv.com", "cdn.com",
        "v16.cdn.com",
        "log.cdn.com", "a.log.cdn.com", "youtube.com", "m.youtube.com", "other.youtube.com",
        "below.other.youtube.com",
        "own.example", "www.own.example", "deep.own.example",
    ]

    private static func own(_ id: String, _ suffixes: [String]) -> App {
        App(
            id: id, name: id, category: Policy.Category.own.id, suffixes: suffixes,
            pages: suffixes.flatMap { [$0, "www.\($0)"] })
    }

    private static func kinds(_ catalog: Catalog, _ book: TagBook) throws -> [String: TagBook.Entry] {
        let table = NameTable(sets: [], counted: book.names(in: catalog))
        return try names.reduce(into: [:]) { $0[$1] = book.entry(of: try #require(table.match($1)).tag) }
    }

    @Test(arguments: [
        [], ["own.example"], ["www.tiktok.com", "own.example"], ["tiktok.com"], ["webcast.tiktok.com"],
    ])
    func agreesNameByName(owned: [String]) throws {
        let catalog = Self.catalog.adding(owned.isEmpty ? [] : [Self.own("own-a", owned)])
        let book = TagBook()
        let compiled = try Self.kinds(catalog, book)
        for name in Self.names {
            let app = catalog.app(owning: name)
            #expect(compiled[name]?.app == app?.id, "\(name)")
            #expect(compiled[name]?.kind == app?.usage(of: name), "\(name)")
            #expect(compiled[name]?.category == app?.category, "\(name)")
        }
    }

    @Test("A page host stays a page host, whatever it counts as") func pages() throws {
        let catalog = Self.catalog.adding([Self.own("own-a", ["tiktok.com"])])
        let table = NameTable(sets: [], counted: TagBook().names(in: catalog))
        for page in catalog.apps.flatMap(\.pages) { #expect(table.match(page)?.isPage == true, "\(page)") }
        #expect(table.match("webcast.tiktok.com")?.isPage == false)
    }

    @Test("A tag keeps its meaning when the household adds apps and removes them") func stable() throws {
        let book = TagBook()
        let before = try Self.kinds(Self.catalog, book)
        func tag(_ name: String, _ catalog: Catalog) throws -> UInt32 {
            try #require(NameTable(sets: [], counted: book.names(in: catalog)).match(name)).tag
        }
        let tags = try Self.names.map { try tag($0, Self.catalog) }
        let more = Self.catalog.adding([Self.own("own-a", ["own.example"]), Self.own("own-b", ["b.example"])])
        _ = try Self.kinds(more, book)
        #expect(try Self.names.map { try tag($0, Self.catalog) } == tags)
        #expect(zip(Self.names, tags).allSatisfy { book.entry(of: $1) == before[$0] })
        #expect(book.entry(of: 0) == nil && book.entry(of: 9_999) == nil)
    }
}
