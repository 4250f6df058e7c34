import Policy
import Testing

/// Services that families use, by region and kind: each on its shelf, with the page that people open.
@Suite struct CatalogFamilyTests {
    @Test("The services that families name are there", arguments: familyApps)
    func family(shelf: String, apps: [String: String]) throws {
        let catalog = try CatalogDataTests.shipped()
        for (id, page) in apps {
            let app = try #require(catalog.app(id: id), "\(id)")
            #expect(app.category == shelf, "\(id)")
            #expect(app.pages.contains(page), "\(id)")
        }
    }

    /// Apps and the page that opens each, by shelf: Brazil, India, China, Africa, East Asia, games, AI, other video sites.
    private static let familyApps: [(shelf: String, apps: [String: String])] = [
        (
            "video",
            [
                "globoplay": "globoplay.globo.com", "looke": "looke.com.br", "vivo-play": "vivoplay.com.br",
                "directv-go": "directvgo.com", "discovery-plus": "discoveryplus.com",
            ]
        ),
        (
            "video",
            [
                "hotstar": "hotstar.com", "jiocinema": "jiocinema.com", "mx-player": "mxplayer.in",
                "sun-nxt": "sunnxt.com", "hoichoi": "hoichoi.tv", "bigo-live": "bigo.tv",
            ]
        ),
        (
            "video",
            [
                "douyu": "douyu.com", "huya": "huya.com", "yy": "yy.com", "acfun": "acfun.cn",
                "mango-tv": "mgtv.com", "bilibili": "bilibili.com",
            ]
        ),
        (
            "video",
            [
                "showmax": "showmax.com", "dstv": "dstv.com", "startimes": "startimestv.com",
                "sabc": "sabc-plus.com", "irokotv": "irokotv.com", "shahid": "shahid.net",
            ]
        ),
        (
            "video",
            [
                "soop": "sooplive.co.kr", "tving": "tving.com", "twitcasting": "twitcasting.tv",
                "17live": "17.live", "kktv": "kktv.me", "mytv-super": "mytvsuper.com",
            ]
        ),
        (
            "video",
            [
                "odysee": "odysee.com", "bitchute": "bitchute.com", "rumble": "rumble.com",
                "peertube": "joinpeertube.org", "dtube": "d.tube", "dlive": "dlive.tv",
            ]
        ),
        (
            "messengers",
            ["kakaotalk": "kakao.com", "line": "line.me", "wechat": "wechat.com", "kook": "kookapp.cn"]
        ),
        (
            "forums",
            [
                "lihkg": "lihkg.com", "bahamut": "gamer.com.tw", "mobile01": "mobile01.com",
                "dcinside": "dcinside.com", "fmkorea": "fmkorea.com", "hupu": "hupu.com",
                "coolapk": "coolapk.com", "5ch": "5ch.net", "nairaland": "nairaland.com",
            ]
        ),
        (
            "games",
            [
                "bethesda": "bethesda.net", "square-enix": "square-enix.com", "taptap": "taptap.cn",
                "io-interactive": "ioi.dk", "gaijin": "warthunder.com", "nexon": "nexon.com",
                "humble-bundle": "humblebundle.com", "curseforge": "curseforge.com",
                "path-of-exile": "pathofexile.com", "wb-games": "wbgames.com",
            ]
        ),
        (
            "ai",
            [
                "manus": "manus.im", "cursor": "cursor.com", "replit": "replit.com", "devin": "devin.ai",
                "dola": "dola.com", "z-ai": "z.ai", "nomi": "nomi.ai", "kindroid": "kindroid.ai",
            ]
        ),
    ]
}
