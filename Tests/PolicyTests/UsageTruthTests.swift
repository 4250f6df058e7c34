import Foundation
import Policy
import Testing

/// Compares counted minutes with true ones: scripts with names of the shipped catalog, at a person's rhythm and at a
/// timer's (A-03). They print the figures of Docs/accuracy.md.
@Suite struct UsageTruthTests {
    /// 09:00 UTC on some day.
    private static let hour = 1_800_003_600

    private static func app(_ id: String) throws -> App {
        try #require(try RealCatalog.catalog.get().app(id: id))
    }

    /// Runs a script for some seeds; returns and prints the errors in minutes.
    private static func errors(
        _ what: String, of id: String, runs: Int = 100, truth seconds: (inout UsageScript) -> Int
    ) throws -> [Double] {
        let app = try app(id)
        let errors = (1...runs).map { seed in
            var script = UsageScript(seed: UInt64(seed))
            let truth = Double(seconds(&script)) / 60
            return Double(script.minutes(of: app)) - truth
        }
        let mean = errors.reduce(0, +) / Double(errors.count)
        let worst = errors.map(abs).max() ?? 0
        let within = errors.count { abs($0) <= 1 }
        print(
            "usage: \(what): \(within) of \(errors.count) within 1 min, mean \(String(format: "%+.2f", mean)) min, worst \(String(format: "%.2f", worst)) min"
        )
        return errors
    }

    private static let tiktok = (
        opening: ["www.tiktok.com", "webcast.tiktok.com", "mon.tiktokv.com"],
        going: ["v16m.tiktokcdn.com", "p16-sign-va.tiktokcdn.com", "v19.tiktokcdn-eu.com", "log.tiktokv.com"]
    )

    @Test("A-03: TikTok for twelve minutes, four minutes' pause, nine more: within a minute of 25")
    func shortVideo() throws {
        let errors = try Self.errors("TikTok 12 min, pause 4, 9 more", of: "tiktok") { script in
            let start = Self.hour + script.random.int(0...3599)
            script.use(opening: Self.tiktok.opening, going: Self.tiktok.going, from: start, seconds: 720)
            script.use(opening: [], going: Self.tiktok.going, from: start + 960, seconds: 540)
            return 1500
        }
        #expect(errors.allSatisfy { abs($0) <= 1 })
    }

    @Test("A-03: a pause that is too long does not count")
    func twoSittings() throws {
        let errors = try Self.errors("Instagram 7 min, 20 min nothing, 11 more", of: "instagram") { script in
            let start = Self.hour + script.random.int(0...3599)
            let going = ["i.instagram.com", "scontent-fra3-1.cdninstagram.com", "graph.instagram.com"]
            script.use(
                opening: ["i.instagram.com", "graph.instagram.com"], going: going, from: start,
                seconds: 420)
            script.use(
                opening: ["i.instagram.com"], going: going, from: start + 1620, seconds: 660)
            return 1080
        }
        #expect(errors.allSatisfy { abs($0) <= 2 }, "a minute at each sitting")
        #expect(abs(errors.reduce(0, +) / Double(errors.count)) <= 1)
    }

    @Test("A-03: a film whose player asks every two to nine minutes counts whole")
    func film() throws {
        let errors = try Self.errors("YouTube film, 90 min, a lookup each 2 to 9 min", of: "youtube") {
            script in
            let start = Self.hour + script.random.int(0...3599)
            for name in ["www.youtube.com", "youtubei.googleapis.com"] { script.request(name, at: start) }
            var second = start + 5
            while second < start + 5_400 {
                script.request("rr\(script.random.int(1...8))---sn-4g5e6nsz.googlevideo.com", at: second)
                second += script.random.int(120...540)
            }
            // After a film, a person sees the list again.
            for name in ["www.youtube.com", "youtubei.googleapis.com"] {
                script.request(name, at: start + 5_400)
            }
            return 5_400
        }
        #expect(errors.allSatisfy { abs($0) <= 1 })
    }

    @Test("A-03: an app with one name that the household added counts too")
    func ownApp() throws {
        let app = App(id: "own-game", name: "Game", category: Category.own.id, suffixes: ["game.example"])
        let errors = (1...100).map { seed in
            var script = UsageScript(seed: UInt64(seed))
            script.use(
                opening: ["game.example"], going: ["api.game.example"],
                from: Self.hour + script.random.int(0...3599), seconds: 900, every: 20...45)
            return script.minutes(of: app) - 15
        }
        print("usage: an own app with one name, 15 min: \(errors.count { abs($0) <= 1 }) of 100 within 1 min")
        // Its last lookup may be 105 s before the end.
        #expect(errors.count { abs($0) <= 1 } >= 95)
        #expect(errors.allSatisfy { abs($0) <= 2 })
    }

    private static let idle: [(app: String, names: [String])] = [
        ("instagram", ["i.instagram.com", "graph.instagram.com"]),
        ("tiktok", ["webcast.tiktok.com", "p16-sign-va.tiktokcdn.com"]),
        ("youtube", ["youtubei.googleapis.com"]),
        ("gmail", ["mail.google.com"]),
    ]

    @Test(
        "A-03: a day of push, analytics and refreshes every 15, 30 or 60 minutes counts as nothing",
        arguments: [900, 1800, 3600])
    func chatter(period: Int) throws {
        var most = 0
        for (id, names) in Self.idle {
            let app = try Self.app(id)
            for seed in 1...5 {
                var script = UsageScript(seed: UInt64(seed))
                let end = Self.hour + 86_400
                script.chatter(names, every: period, jitter: 0.15, from: Self.hour, until: end)
                for name in app.service.prefix(4) {
                    script.chatter([name], every: 240, jitter: 0.5, from: Self.hour, until: end)
                }
                most = max(most, script.minutes(of: app))
            }
        }
        print(
            "usage: chatter every \(period / 60) min for 24 h, \(Self.idle.count) apps, 5 days each: \(most) min at most"
        )
        #expect(most == 0)
    }

    @Test(
        "A-03: a page that is left open and polls adds nothing to the use before it",
        arguments: [150, 240, 290])
    func leftOpen(period: Int) throws {
        let errors = try Self.errors(
            "Gmail 10 min, then a poll each \(period) s for 3 h", of: "gmail", runs: 20
        ) {
            script in
            let start = Self.hour + script.random.int(0...3599)
            script.use(opening: ["www.gmail.com"], going: ["mail.google.com"], from: start, seconds: 600)
            script.chatter(
                ["mail.google.com"], every: period, jitter: 0.05, from: start + 600,
                until: start + 11_400)
            return 600
        }
        #expect(
            errors.allSatisfy { abs($0) <= 1 + Double(period) / 60 }, "its first poll cannot be told from use"
        )
    }

    @Test("A-03: three sittings in a day of refreshes")
    func mixedDay() throws {
        let errors = try Self.errors(
            "3 sittings (31 min) in a day of refreshes each 30 min", of: "tiktok", runs: 20
        ) {
            script in
            script.chatter(
                ["webcast.tiktok.com", "p16-sign-va.tiktokcdn.com"], every: 1800, jitter: 0.1,
                from: Self.hour, until: Self.hour + 86_400)
            for (hour, minutes) in [(8, 6), (13, 15), (19, 10)] {
                script.use(
                    opening: Self.tiktok.opening, going: Self.tiktok.going,
                    from: Self.hour + hour * 3600 + script.random.int(0...3599),

                    seconds: minutes * 60)
            }
            return 31 * 60
        }
        #expect(abs(errors.reduce(0, +) / Double(errors.count)) <= 1)
        #expect(errors.allSatisfy { abs($0) <= 3 }, "a minute at each sitting")
    }
}
