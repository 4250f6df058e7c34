import Assets
import Foundation
import Policy

/// The context as templates see it, under the name `site`.
struct Site {
    struct PersonLink {
        let id: Int64
        let name: String
        let tile: Tile
        let isCurrent: Bool
    }

    struct NoticeText {
        let kind: String
        let text: String
        /// `alert` interrupts a screen reader, `status` waits.
        let role: String
        /// Where "Undo" is sent, for 8 seconds.
        let undo: String?
        let way: PageContext.Notice.Link?
        /// The page to which it leads back.
        let from: String
    }

    struct Bedtime {
        /// ISO 8601.
        let at: String
        /// `Bedtime in 14 min`; empty if the bedtime is further away.
        let text: String
        let isNear: Bool
    }

    /// What an icon on the home screen opens, if it is made of this page.
    struct App {
        /// `/manifest.webmanifest?app=focus&person=2`
        let manifest: String
        let name: String
        /// A picture in `Public/`.
        let touchIcon: String
    }

    let title: String
    let csrf: String?
    let isSignedIn: Bool
    let person: Int64?
    let personName: String?
    let people: [PersonLink]
    let hasSeveralPeople: Bool
    /// `?person=2` if there are several people, so that links stay with this person; else empty.
    let personQuery: String
    let now: String
    /// When the page's words become old, as ISO 8601: when the household's date changes, or before. Nil for a page that
    /// cannot be asked for again.
    let tomorrow: String?
    /// When pages must not be white any more, as ISO 8601; before `now` if they must not be now.
    let darkFrom: String
    let isDark: Bool
    let zone: String
    let hasTwelveHours: Bool
    let offersHelp: Bool
    let isFromSetup: Bool
    let notices: [NoticeText]
    let assets: AssetAddresses
    let app: App
    let eventsPath: String
    let bedtime: Bedtime?
    let places: [PlaceLink]
    let hasPlaces: Bool
    let asked: Asked?
    let back: PageLink?
    let further: [PageLink]
    let hasFurther: Bool

    init(_ context: PageContext, title: String, validUntil: Date? = nil, assets: AssetLibrary) {
        self.title = title
        csrf = context.csrf
        isSignedIn = context.csrf != nil
        person = context.person?.id.rawValue
        personName = context.person?.name
        people = context.people.map {
            PersonLink(
                id: $0.id.rawValue, name: $0.name, tile: Tile($0), isCurrent: $0.id == context.person?.id)
        }
        hasSeveralPeople = context.people.count > 1
        personQuery = hasSeveralPeople ? person.map { "?person=\($0)" } ?? "" : ""
        places = Self.places(context, query: personQuery)
        hasPlaces = !places.isEmpty
        asked = hasPlaces ? Asked(context.questions, from: context.returnTo) : nil
        back = Self.back(context, query: personQuery, hasPlaces: hasPlaces)
        further = Self.further(context, query: personQuery)
        hasFurther = !further.isEmpty
        now = ClockFace.iso(context.now)
        let ends = [Self.tomorrow(after: context.now, in: context.zone), validUntil].compactMap { $0 }
        tomorrow = context.isAnswer ? nil : ends.min().map(ClockFace.iso)
        let darkness = Darkness(
            for: context.person, at: context.now, in: CivilZone(context.zone.identifier) ?? .utc)
        (darkFrom, isDark) = (ClockFace.iso(darkness.begins), darkness.begins <= context.now)
        zone = context.zone.identifier
        hasTwelveHours = context.clock == .twelveHours
        offersHelp = context.offersHelp
        isFromSetup = context.isFromSetup
        notices = context.notices.map {
            NoticeText(
                kind: $0.kind.rawValue, text: $0.text, role: $0.kind == .done ? "status" : "alert",
                undo: $0.undo, way: $0.way, from: context.returnTo)
        }
        self.assets = AssetAddresses(library: assets, prefix: context.assetPrefix)
        app = Self.app(of: context, assets: self.assets)
        eventsPath = context.eventsPath
        bedtime = context.bedtime.map { bedtime in
            let near = WindDown(to: bedtime, at: context.now)
            return Bedtime(at: ClockFace.iso(bedtime), text: near?.text ?? "", isNear: near != nil)
        }
    }
}

extension Site {
    private static func app(of context: PageContext, assets: AssetAddresses) -> App {
        let app = HomeApp(pageAt: context.path)
        // The person whose page this is, also if the address leaves them out.
        let person = context.people.count > 1 ? context.person.map { "&person=\($0.id.rawValue)" } ?? "" : ""
        let kept = app.query(from: context.path + (context.path.contains("?") ? "" : "?") + person)
        let parts = [app == .house ? "" : "app=\(app.rawValue)", kept].filter { !$0.isEmpty }
        let icon = app == .house ? "apple-touch-icon_png" : "\(app.icon)-192_png"
        return App(
            manifest: "/manifest.webmanifest" + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&")),
            name: app.shortName, touchIcon: assets.text(named: icon) ?? "")
    }

    private static func tomorrow(after now: Date, in zone: TimeZone) -> Date? {
        CivilZone(zone.identifier).map { $0.dayStart($0.date(of: now).adding(days: 1)) }
    }
}

/// Paths of `Public/` with the content's hash: `{{site.assets.base_css}}` is `/assets/base.css?v=…`.
struct AssetAddresses: NamedTexts {
    let library: AssetLibrary
    let prefix: String

    func text(named name: String) -> String? {
        prefix + (library.address(named: name) ?? AssetLibrary.file(named: name))
    }
}
