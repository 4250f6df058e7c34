import Foundation
import Policy

/// The household on the golden pages; it is 22:19 in Berlin on Friday, 13 March 2026.
enum Sample {
    static let zone = TimeZone(identifier: "Europe/Berlin")!
    static let now = Date(timeIntervalSince1970: 1_773_436_740)
    static let zones = ["America/New_York", "Asia/Tokyo", "Europe/Berlin", "Europe/London", "UTC"]
    static let me = PersonID(rawValue: 1)
    static let other = PersonID(rawValue: 2)
    /// A hostile device name.
    static let hostile = "\"\u{301} onfocus=\"alert(1)\" <script>alert(1)</script> ' & \u{0}\u{202E}🧸"

    static func at(hours: Double) -> Date { now.addingTimeInterval(hours * 3600) }

    static let catalog = Catalog(
        categories: [
            Category(id: "social", name: "Social"), Category(id: "video", name: "Video"),
            Category(id: "music", name: "Music"), Category(id: "calls", name: "Phone and Messages"),
        ],
        apps: [
            App(id: "phone", name: "Phone", category: "calls", suffixes: ["3gppnetwork.org"]),
            App(id: "messages", name: "Messages", category: "calls", suffixes: ["imessage.apple.com"]),
            App(
                id: "tiktok", name: "TikTok", category: "social",
                suffixes: ["tiktok.com", "tiktokv.com", "tiktokcdn.com"]),
            App(
                id: "instagram", name: "Instagram", category: "social",
                suffixes: ["instagram.com", "cdninstagram.com"]),
            App(id: "reddit", name: "Reddit", category: "social", suffixes: ["reddit.com", "redd.it"]),
            App(id: "youtube", name: "YouTube", category: "video", suffixes: ["youtube.com", "youtu.be"]),
            App(id: "netflix", name: "Netflix", category: "video", suffixes: ["netflix.com"]),
            App(id: "spotify", name: "Spotify", category: "music", suffixes: ["spotify.com", "scdn.co"]),
        ],
        alwaysReachable: [
            AlwaysReachable(
                id: "checks", name: "Connection checks",
                reason: "Without them phones leave the Wi-Fi for mobile data."),
            AlwaysReachable(
                id: "google", name: "Android's check at Google",
                reason: "Android asks www.google.com whether the Wi-Fi works.", isOptional: true),
            AlwaysReachable(id: "time", name: "Time", reason: "Clocks stay right."),
        ])

    static let ownApp = App(
        id: "own-library", name: "Our library", category: "own", suffixes: ["library.example.org"])

    static func session(_ strictness: StrictnessMode, cancelsIn seconds: Double? = nil) -> SleepSession {
        SleepSession(
            id: UUID(uuidString: "6F2C1A52-8E0B-4C53-9D3B-2F6F6B0B7A11")!,
            mode: .manual(durationMinutes: 120),
            strictness: strictness, startedAt: now.addingTimeInterval(-2124),
            endsAt: now.addingTimeInterval(5076), cancelsAt: seconds.map(now.addingTimeInterval),
            allowed: AppSelection())
    }

    static let schedule = RecurringSchedule(
        isEnabled: true, start: TimeOfDay(hour: 22, minute: 45), end: TimeOfDay(hour: 7, minute: 0),
        strictness: .strict,
        exceptions: [
            ScheduleException(
                days: [.sat], start: TimeOfDay(hour: 23, minute: 30), end: TimeOfDay(hour: 8, minute: 30))
        ])

    static func person(session: SleepSession? = nil) -> Person {
        Person(
            id: me, name: "Me",
            allowed: AppSelection(
                apps: ["phone", "messages", "spotify"], categories: ["music"], domains: ["example.org"]),
            schedule: schedule, session: session)
    }

    static func household(people: [Person]? = nil, devices: [Device]? = nil) -> Household {
        Household(
            timeZone: zone.identifier, ownApps: [ownApp], people: people ?? [person()],
            devices: devices ?? Self.devices)
    }

    static let devices = [
        device(1, "iPhone", .phone, owner: me, seen: -20),
        device(2, hostile, .other, owner: nil, seen: -1200),
        device(3, "Fernseher", .television, owner: nil, seen: -9000),
        device(5, "Neu", .phone, owner: me, seen: -now.timeIntervalSince1970),
        device(4, "iPad im Schlafzimmer mit einem sehr langen Namen", .tablet, owner: me, seen: -260_000),
    ]

    private static func device(
        _ id: Int64, _ name: String, _ kind: Device.Kind, owner: PersonID?, seen: Double
    ) -> Device {
        Device(
            id: DeviceID(rawValue: id), name: name, kind: kind, person: owner,
            addresses: ["192.168.1.\(20 + id)", "fd00::\(id)"], hardwareAddress: "02:00:00:00:00:0\(id)",
            firstSeen: at(hours: -900), lastSeen: now.addingTimeInterval(seen))
    }
}
