import Foundation
import Pages
import Policy

/// One person in the household view.
struct HouseholdRow: Sendable {
    let id: Int64
    let name: String
    let tile: Tile
    /// `Adult` or `Child`.
    let role: String
    let isAsleep: Bool
    /// `Asleep since 22:00, until 06:30`; `Awake`.
    let state: String
    /// `Nightly schedule, strict`, while asleep; `Tonight at 22:00, strict`, while awake.
    let why: String
    /// `30 minutes later than planned.`
    let change: String?
    let windDown: WindDown?
    /// Up to three devices that asked this server a question lately.
    let asked: [Asked]
    let hasAsked: Bool
    /// Shown if there are none: `No device is enrolled.`
    let quiet: String
    /// `Anna left on “Phone” on Friday at 21:40. …`
    let left: [String]
    /// Today; nil if only the person may see it.
    let ribbon: Ribbon?
    let offersBedtime: Bool
    /// The warning beside "Bedtime now".
    let nothingAllowed: NothingAllowed?
    let offersLater: Bool
    let offersSkip: Bool
    /// The next instant at which this row changes, as ISO 8601; the page then loads it again.
    let changesAt: String?

    init(
        _ person: Person, in household: Household, catalog: Catalog, rhythm: DayRhythm? = nil, now: Date
    ) {
        let clock = ClockFace(zone: household.foundationZone)
        ribbon = rhythm.map { Ribbon($0, catalog: catalog, clock: clock) }
        let session = person.running(at: now)
        let nights = person.nights(in: household.zone)
        let next = nights?.nextNight(after: now)
        let pending = person.tonight
        id = person.id.rawValue
        name = person.name
        tile = Tile(person)
        role = person.role == .child ? "Child" : "Adult"
        isAsleep = session != nil
        state =
            session.map { session in
                let end = person.asleepUntil(at: now, in: household.zone) ?? session.endsAt
                return clock.asleep(session, until: end, from: now)
            } ?? "Awake"
        why = session.map(Self.why) ?? Self.coming(next, person, clock, now)
        change = session == nil ? pending.map { $0.words(in: nights, clock: clock, now: now) } : nil
        windDown = session == nil ? WindDown(to: next?.start, at: now) : nil
        let own = household.devices.filter { $0.person == person.id }
        asked = Asked.lately(own, at: now)
        hasAsked = !asked.isEmpty
        quiet = own.isEmpty ? "No device is enrolled." : "Quiet just now."
        left = LeftWords.lately(in: household, of: person.id, clock, now)
        let isStrict = session?.strictness == .strict
        let canChange = !isStrict && (try? person.isNightTonight(at: now, in: household.zone)) == true
        let isSkipped = pending?.kind == .skip
        offersBedtime = session == nil
        nothingAllowed = session == nil ? NothingAllowed(person, from: .household) : nil
        offersSkip = canChange && !isSkipped
        offersLater =
            offersSkip && (pending?.minutes ?? 0) < TonightChange.step * TonightChange.mostSteps
        changesAt = (session?.due ?? next?.start).map(ClockFace.iso)
    }

    private static func why(_ session: SleepSession) -> String {
        let origin =
            switch session.mode {
            case .manual: "Started by hand"
            case .recurring: "Nightly schedule"
            }
        return
            "\(origin), \(session.strictness.rawValue)\(session.cancelsAt == nil ? "" : ", being cancelled")"
    }

    private static func coming(_ night: Night?, _ person: Person, _ clock: ClockFace, _ now: Date) -> String {
        guard let night, let schedule = person.schedule else { return "No bedtime is planned." }
        return "\(clock.coming(night.start, from: now)), \(schedule.strictness.rawValue)"
    }

    /// A device's name and the text after it.
    struct Asked {
        let name: String
        let after: String

        static func lately(_ devices: [Device], at now: Date) -> [Asked] {
            let names = devices.filter { now.timeIntervalSince($0.lastSeen) < DevicesInUse.recency }
                .sorted { $0.lastSeen > $1.lastSeen }.map(\.name)
            let shown = names.prefix(3)
            return shown.enumerated().map { index, name in
                let isLast = index == shown.count - 1
                let more = names.count > shown.count ? " and \(names.count - shown.count) more" : ""
                return Asked(name: name, after: isLast ? more : ", ")
            }
        }
    }
}

extension ClockFace {
    /// `Asleep since 22:00, until 06:30`.
    func asleep(_ session: SleepSession, until end: Date, from now: Date) -> String {
        "Asleep since \(time(session.startedAt)), \(until(end, from: now).replacing("tomorrow at ", with: ""))"
    }
}

extension TonightChange {
    /// `30 minutes later than planned.`, `Tonight is skipped.`, `Monday night is skipped.`
    func words(in nights: Nights?, clock: ClockFace, now: Date) -> String {
        switch kind {
        case .later: return "\(minutes) minutes later than planned."
        case .skip:
            guard let planned = nights?.planned(on: night), !clock.isTonight(planned.start, from: now) else {
                return "Tonight is skipped."
            }
            return "\(night.weekday.displayName) night is skipped."
        }
    }
}
