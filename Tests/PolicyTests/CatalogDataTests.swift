import Foundation
import Policy
import Testing

/// The shipped catalog: read from `Catalog/` in the source tree, and checked as data.
@Suite struct CatalogDataTests {
    /// An app of a shelf, with the fields that only readers of the file see.
    private struct Noted: Decodable {
        struct Entry: Decodable {
            var id: String
            var pages: [String]?
            var note: String?
        }
        var apps: [Entry]
    }

    private static let directory = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Catalog")
    private static let reachableFile = "always-reachable.json"

    private static func shelfFiles() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" && $0.lastPathComponent != reachableFile }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private static func shelves() throws -> [CatalogFile] {
        try shelfFiles().map { try CatalogFile(json: Array(Data(contentsOf: $0))) }
    }

    /// Read once for all tests.
    private static let catalog = Result {
        let file = directory.appending(path: reachableFile)
        let reachable = try AlwaysReachable.list(json: Array(Data(contentsOf: file)))
        return try Catalog(shelves: shelves(), reachable: reachable)
    }

    static func shipped() throws -> Catalog { try catalog.get() }

    @Test("Every rule of the catalog holds: names, ids, pages under suffixes, nothing swallowed")
    func valid() throws {
        #expect(throws: Never.self) { try Self.shipped() }
        #expect(try Self.shipped().validate().isEmpty)
    }

    @Test("At least 1,450 apps on at least 14 shelves, none of them empty")
    func size() throws {
        let catalog = try Self.shipped()
        #expect(catalog.apps.count >= 1450)
        #expect(catalog.categories.count >= 14)
        for shelf in catalog.categories { #expect(!catalog.apps(in: shelf.id).isEmpty, "\(shelf.id)") }
    }

    @Test("No name has two owners, and no always-reachable name has one")
    func oneOwner() throws {
        let catalog = try Self.shipped()
        let reachable = catalog.reachableNames()
        var owners: [String: String] = [:]
        for app in catalog.apps {
            for suffix in app.suffixes {
                #expect(owners.updateValue(app.id, forKey: suffix) == nil, "\(suffix)")
                #expect(!reachable.covers(suffix), "\(suffix)")
            }
        }
        for app in catalog.apps {
            for name in app.suffixes + app.pages + app.foreground + app.service {
                #expect(catalog.app(owning: name)?.id == app.id, "\(name)")
            }
        }
    }

    @Test("A shelf's file bears its id")
    func fileNames() throws {
        let names = try Self.shelfFiles().map { $0.deletingPathExtension().lastPathComponent }
        #expect(try Self.shelves().map(\.id) == names)
    }

    @Test("Help opens shelves that exist", arguments: ["phone", "messengers", "maps", "health"])
    func helpShelves(id: String) throws {
        #expect(try !Self.shipped().apps(in: id).isEmpty)
    }

    @Test("The other shelves are there")
    func otherShelves() throws {
        let wanted: Set = [
            "social", "short-video", "video", "music", "games", "dating", "shopping", "news", "forums",
            "reading", "learning", "ai", "gambling", "work", "mail", "backups", "alarms", "sleep", "sign-in",
        ]
        #expect(try wanted.subtracting(Self.shipped().categories.map(\.id)).isEmpty)
    }

    @Test("Every app has a page to open, or a note that says why not")
    func pagesOrReason() throws {
        for file in try Self.shelfFiles() {
            for app in try JSONDecoder().decode(Noted.self, from: Data(contentsOf: file)).apps {
                #expect(app.pages?.isEmpty == false || app.note?.isEmpty == false, "\(app.id)")
            }
        }
    }

    @Test("A-03: every app can be seen in use, and a service name is never a foreground name too")
    func foreground() throws {
        for app in try Self.shipped().apps {
            let service = CatalogNames(suffixes: Set(app.service))
            #expect(app.foreground.contains { !service.covers($0) }, "\(app.id)")
            #expect(app.foreground.filter(service.covers).isEmpty, "\(app.id)")
        }
    }

    @Test("No list names anything twice")
    func twice() throws {
        for app in try Self.shipped().apps {
            for names in [app.suffixes, app.pages, app.foreground, app.service] {
                #expect(Set(names).count == names.count, "\(app.id)")
            }
        }
    }

    @Test("Well-known names belong to their app, other names to none", arguments: knownOwners)
    func owners(name: String, owner: String?) throws {
        #expect(try Self.shipped().app(owning: name)?.id == owner)
    }

    private static let knownOwners: [(name: String, owner: String?)] = [
        ("tiktok.com", "tiktok"), ("www.tiktok.com", "tiktok"), ("v16.tiktokcdn-eu.com", "tiktok"),
        ("instagram.com", "instagram"), ("i.instagram.com", "instagram"),
        ("scontent.cdninstagram.com", "instagram"), ("m.youtube.com", "youtube"), ("youtu.be", "youtube"),
        ("r4---sn-4g5e6nsz.googlevideo.com", "youtube"), ("youtubei.googleapis.com", "youtube"),
        ("web.whatsapp.com", "whatsapp"), ("mmg.whatsapp.net", "whatsapp"), ("wa.me", "whatsapp"),
        ("maps.google.com", "google-maps"), ("mail.google.com", "gmail"), ("open.spotify.com", "spotify"),
        ("store.steampowered.com", "steam"), ("www.amazon.com", "amazon"), ("read.amazon.com", "kindle"),
        ("b.douyucdn.cn", "douyu"), ("cdn.forgecdn.net", "curseforge"), ("1234.discordsays.com", "discord"),
        ("bytedance.com", nil), ("byteimg.com", nil), ("akamaized.net", nil), ("ameba.jp", nil),
        ("mbc.net", nil),
        ("nottiktok.com", nil), ("tiktok.com.example.org", nil), ("fox.com", nil), ("google.com", nil),
        ("apple.com", nil), ("amazon.com", nil), ("microsoft.com", nil), ("googleapis.com", nil),
        ("example.org", nil),
    ]

    @Test("The bare name of a big app shows the shield", arguments: bigApps)
    func barePages(app: String, page: String) throws {
        #expect(try Self.shipped().app(id: app)?.pages.contains(page) == true)
    }

    private static let bigApps: [(app: String, page: String)] = [
        ("tiktok", "tiktok.com"), ("instagram", "www.instagram.com"), ("youtube", "m.youtube.com"),
        ("whatsapp", "web.whatsapp.com"), ("facebook", "facebook.com"), ("reddit", "www.reddit.com"),
        ("netflix", "www.netflix.com"), ("x", "x.com"), ("discord", "discord.com"),
    ]

    @Test("Push and telemetry never count as use", arguments: quietNames)
    func quiet(app: String, name: String) throws {
        let found = try #require(try Self.shipped().app(id: app))
        #expect(CatalogNames(suffixes: Set(found.service)).covers(name))
    }

    private static let quietNames: [(app: String, name: String)] = [
        ("tiktok", "log.tiktokv.com"), ("instagram", "edge-mqtt.instagram.com"),
        ("whatsapp", "g.whatsapp.net"), ("netflix", "customerevents.netflix.com"),
        ("icloud", "gateway.icloud.com"),
        ("windows-update", "download.windowsupdate.com"),
    ]

    @Test("Design, Verdict 1: names that must always resolve do", arguments: alwaysNames)
    func reachable(name: String) throws {
        #expect(try Self.shipped().reachableNames().covers(name))
    }

    private static let alwaysNames = [
        "captive.apple.com", "connectivitycheck.gstatic.com", "connectivitycheck.android.com",
        "www.google.com", "www.msftconnecttest.com", "dns.msftncsi.com", "detectportal.firefox.com",
        "network-test.debian.org", "fedoraproject.org",
        "connectivity-check.ubuntu.com", "nmcheck.gnome.org", "networkcheck.kde.org",
        "spectrum.s3.amazonaws.com",
        "connect.rom.miui.com", "connectivitycheck.platform.hicloud.com", "wifi.vivo.com.cn",
        "2.android.pool.ntp.org", "time.apple.com", "time.windows.com", "1-courier.push.apple.com",
        "mtalk.google.com", "epdg.epc.mnc001.mcc262.pub.3gppnetwork.org", "supl.google.com",
        "warnung.bund.de",
        "shareous1.dexcom.com", "api-eu.libreview.io", "o.lencr.org",
    ]

    @Test("Every reason is a short sentence; checks, clocks, push and calls cannot be unticked")
    func reasons() throws {
        let entries = try Self.shipped().alwaysReachable
        for entry in entries {
            #expect(!entry.name.isEmpty && entry.reason.hasSuffix("."), "\(entry.id)")
            #expect(entry.reason.utf8.count <= 140, "\(entry.id)")
        }
        #expect(entries.first { $0.id == "probe-google" }?.isOptional == true)
        let fixed = ["probe-android", "probe-apple", "time", "push-apple", "push-google", "wifi-calling"]
        for id in fixed { #expect(entries.first { $0.id == id }?.isOptional == false, "\(id)") }
    }

    @Test("Without Android's optional probe www.google.com sleeps, and the phone's first check does not")
    func untickedProbe() throws {
        let names = try Self.shipped().reachableNames(without: ["probe-google"])
        #expect(!names.covers("www.google.com"))
        #expect(names.covers("connectivitycheck.gstatic.com"))
    }
}
