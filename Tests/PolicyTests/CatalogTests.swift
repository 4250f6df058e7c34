import Foundation
import Testing

@testable import Policy

@Suite struct CatalogTests {
    private let catalog = Catalog(
        categories: [
            Category(id: "social", name: "Social"), Category(id: "video", name: "Video"),
            Category(id: "phone", name: "Phone"),
        ],
        apps: [
            App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com", "tiktokcdn.com"]),
            App(id: "instagram", name: "Instagram", category: "social", suffixes: ["instagram.com"]),
            App(id: "youtube", name: "YouTube", category: "video", suffixes: ["youtube.com"]),
        ],
        alwaysReachable: [
            AlwaysReachable(id: "ntp", name: "Time", reason: "r", suffixes: ["ntp.org"]),
            AlwaysReachable(
                id: "android", name: "Android", reason: "r", hosts: ["www.google.com"], isOptional: true),
        ])

    @Test(arguments: [
        ("tiktok.com", "tiktok"), ("www.tiktok.com", "tiktok"), ("a.b.TIKTOK.com.", "tiktok"),
        ("nottiktok.com", nil),
        ("tiktok.com.evil.example", nil), ("com", nil), ("", nil), ("v.tiktokcdn.com", "tiktok"),
        ("m.youtube.com", "youtube"),
    ])
    func ownsNamesOnLabelBoundaries(_ name: String, _ app: String?) {
        #expect(catalog.app(owning: name)?.id == app)
    }

    @Test func theLongestSuffixOwnsAName() {
        let own = App(
            id: "own-kids", name: "Kids", category: "own", suffixes: ["kids.youtube.com", "instagram.com"])
        let more = catalog.adding([own])
        #expect(more.app(owning: "www.kids.youtube.com")?.id == "own-kids")
        #expect(more.app(owning: "www.youtube.com")?.id == "youtube")
        #expect(more.app(owning: "instagram.com")?.id == "own-kids", "the household's name for it holds")
        #expect(more.category(id: "own") == .own && more.apps(in: "own") == [own])
        #expect(catalog.adding([]).categories == catalog.categories)
        #expect(
            more.app(id: "own-kids") == own && more.app(id: "tiktok")?.name == "TikTok"
                && more.app(id: "x") == nil)
    }

    @Test("A-23: by app, by category, by domain; unknown ids are nothing")
    func names() {
        let names = catalog.names(
            of: AppSelection(
                apps: ["youtube", "gone"], categories: ["social", "gone"], domains: ["example.org"]))
        #expect(names.exact.isEmpty)
        #expect(
            names.suffixes == ["tiktok.com", "tiktokcdn.com", "instagram.com", "youtube.com", "example.org"])
        #expect(catalog.names(of: AppSelection()) == CatalogNames())
    }

    @Test("T-07: exact names open nothing below them; optional ones can be left out, others not")
    func reachable() {
        let all = catalog.reachableNames()
        #expect(all.covers("0.pool.ntp.org") && all.covers("www.google.com"))
        #expect(!all.covers("a.www.google.com") && !all.covers("google.com"))
        let less = catalog.reachableNames(without: ["android", "ntp"])
        #expect(!less.covers("www.google.com") && less.covers("pool.ntp.org"))
    }

    @Test func readsShelves() throws {
        let shelf = try CatalogFile(
            json: Array(
                """
                {"id":"social","name":"Social","apps":[
                  {"id":"tiktok","name":"TikTok","suffixes":["tiktok.com"],"pages":["www.tiktok.com"],
                   "foreground":["tiktok.com"],"service":["log.tiktok.com"]},
                  {"id":"bluesky","name":"Bluesky","suffixes":["bsky.app"]}]}
                """.utf8))
        let reachable = try AlwaysReachable.list(
            json: Array(#"[{"id":"ntp","name":"Time","reason":"Clocks.","suffixes":["ntp.org"]}]"#.utf8))
        let read = try Catalog(shelves: [shelf], reachable: reachable)
        #expect(read.apps.map(\.id) == ["tiktok", "bluesky"] && read.apps[0].category == "social")
        #expect(read.apps[0].service == ["log.tiktok.com"] && read.apps[1].pages.isEmpty)
        #expect(read.alwaysReachable[0].isOptional == false && read.alwaysReachable[0].hosts.isEmpty)
    }

    @Test func saysWhatIsWrong() {
        let faulty = Catalog(
            categories: [Category(id: "social", name: "Social"), Category(id: "social", name: "Again")],
            apps: [
                App(id: "a", name: "A", category: "social", suffixes: ["a.com", "a.com"]),
                App(id: "a", name: "A", category: "nope", suffixes: ["cdn.a.com"], pages: ["www.b.com"]),
                App(id: "B!", name: "", category: "social", suffixes: ["Upper.com", "com", "a b.com"]),
                App(
                    id: "own-c", name: "C", category: "social", suffixes: [], foreground: ["c.com"],
                    service: ["s.c.com"]),
            ],
            alwaysReachable: [
                AlwaysReachable(id: "x", name: "X", reason: "r", suffixes: ["com"]),
                AlwaysReachable(id: "x", name: "X", reason: "r"),
                AlwaysReachable(id: "y", name: "Y", reason: "r", suffixes: ["a.com", "push.cdn.a.com"]),
            ])
        let expected = [
            "The category social is there twice.", "The app a is there twice.",
            "The always-reachable entry x is there twice.", "The suffix a.com is there twice.",
            "a: no category nope.", "a: the page www.b.com is not under its suffixes.",
            "B! is no id: lower-case letters, digits and hyphens.", "B! has no name.",
            "B!: Upper.com is no domain name.", "B!: com is no domain name.",
            "B!: a b.com is no domain name.",
            "own-c: ids with own- are the household's.", "own-c has no suffix.",
            "own-c: the foreground name c.com is not under its suffixes.",
            "own-c: the service name s.c.com is not under its suffixes.", "a's a.com swallows a's cdn.a.com.",
            "x swallows a's a.com.", "x: com is no domain name.", "x has no names.", "y swallows a's a.com.",
            "y swallows a's cdn.a.com.",
        ]
        let problems = faulty.validate()
        for problem in expected { #expect(problems.contains(problem), "\(problem)") }
        #expect(
            !problems.contains { $0.contains("push.cdn.a.com") },
            "an exception below an app is what the list is for")
        #expect(catalog.validate() == [])
        let shelf = CatalogFile(id: "s", name: "S", apps: [.init(id: "a", name: "A", suffixes: ["com"])])
        #expect(throws: CatalogError(problems: ["a: com is no domain name."])) {
            try Catalog(shelves: [shelf], reachable: [])
        }
    }
}
