import Foundation
import Policy

/// The shipped apps, for scripts with real names.
enum RealCatalog {
    static let catalog = Result {
        let directory = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Catalog")
        let files = try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: nil
        )
        .filter { $0.pathExtension == "json" && $0.lastPathComponent != "always-reachable.json" }
        return try Catalog(
            shelves: files.map { try CatalogFile(json: Array(Data(contentsOf: $0))) },
            reachable: [])
    }
}

/// What a device asks for over time: its requests go through a cache of 60 s, the most that we allow.
struct UsageScript {
    struct Lookup {
        var name: String
        var second: Int
    }

    private(set) var lookups: [Lookup] = []
    private var cachedUntil: [String: Int] = [:]
    var random: Generator

    init(seed: UInt64) { random = Generator(seed: seed) }

    /// A request to a host: a lookup of both address types, unless the answer is still in the cache.
    mutating func request(_ name: String, at second: Int) {
        guard second >= cachedUntil[name, default: 0] else { return }
        cachedUntil[name] = second + 60
        lookups += [Lookup(name: name, second: second), Lookup(name: name, second: second)]
    }

    /// A person swipes and taps: each host of `opening` once at the start, then a host of `going` every few seconds.
    mutating func use(
        opening: [String], going: [String], from start: Int, seconds: Int,
        every pace: ClosedRange<Int> = 3...25
    ) {
        for name in opening { request(name, at: start + random.int(0...3)) }
        var second = start + 4
        while second < start + seconds {
            request(random.pick(going), at: second)
            second += random.int(pace)
        }
    }

    /// A timer: asks for the names at a period in seconds, each time a little early or late.
    mutating func chatter(
        _ names: [String], every period: Int, jitter: Double, from start: Int, until end: Int
    ) {
        var second = start + random.int(0...period)
        while second < end {
            for name in names { request(name, at: second + random.int(0...2)) }
            second += Int(Double(period) * (1 + Double.random(in: -jitter...jitter, using: &random)))
        }
    }

    /// Counts an app's minutes from all of this, in order of time.
    func counted(as app: App, in ledger: inout UsageLedger, device: DeviceID = phone) {
        var recorder = UsageRecorder()
        var kinds: [String: UsageHit.Kind] = [:]
        for name in Set(lookups.map(\.name)) { kinds[name] = app.usage(of: name) }
        for lookup in lookups.sorted(by: { $0.second < $1.second }) {
            let outcome = recorder.note(
                UsageHit(
                    device: device, person: me, app: app.id, category: app.category,
                    kind: kinds[lookup.name]!, isBlocked: false,
                    instant: Date(timeIntervalSince1970: TimeInterval(lookup.second))))
            if case .use(let change) = outcome { ledger.apply(change) }
        }
    }

    /// The number of those minutes.
    func minutes(of app: App) -> Int {
        var ledger = UsageLedger()
        counted(as: app, in: &ledger)
        return ledger.minutes(of: me, in: .distantPast..<Date(timeIntervalSince1970: 4e9))
    }
}
