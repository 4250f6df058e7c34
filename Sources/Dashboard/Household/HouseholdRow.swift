import Foundation
import Pages
import Policy

/// One person in the household view.
struct HouseholdRow: Sendable {
    let id: Int64
    let name: String
    let tile: Tile
    /// `Adult`, `Child` or `Shared device`.
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
    /// The planned bedtime, for "Another bedtime tonight"; nil if tonight cannot be changed.
    let bedtime: String?
    /// "More time today", for all limits; nil without limits.
    let bonus: BonusButtons?
    /// The minutes that one tap gives a child.
    let quickBonus: Int?
    /// The cancel that runs.
    let wakes: Wakes?
    /// `Wake for 30 minutes`, after which the night goes on.
    let offersPause: Bool
    /// The button that begins a cancel, and while that runs "Keep asleep".
    let offersWake: Bool
    /// `Wake for the rest of the night`; `Wake in 30 seconds` for a session by hand, which a night may follow.
    let wakeLabel: String
    let offersKeep: Bool
    /// For a child's flexible session: the time at which it ends now, which an earlier one can take the place of.
    let wakeTime: String?
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
        let pauseEnd = person.pauseEnd(at: now, in: household.zone)
        id = person.id.rawValue
        name = person.name
        tile = Tile(person)
        role = person.role.word
        isAsleep = session != nil
        state =
            session.map { session in
                let end = person.asleepUntil(at: now, in: household.zone) ?? session.endsAt
                return session.cancelsAt == nil
                    ? clock.asleep(session, until: end, from: now)
                    : "Asleep since \(clock.time(session.startedAt))"
            } ?? (pauseEnd.map { "Awake until \(clock.time($0))" } ?? "Awake")
        wakes = session?.cancelsAt.map { Wakes($0, from: now) }
        why =
            pauseEnd.map {
                "\(session == nil ? "" : "Awake until \(clock.time($0)). ")Then the night goes on."
            }
            ?? session.map { $0.cancelsAt == nil ? Self.why($0) : Self.afterCancel($0, nights, clock, now) }
            ?? Self.coming(next, person, in: household.zone, clock, now)
        change =
            session == nil && pauseEnd == nil
            ? pending.map { $0.words(in: nights, clock: clock, now: now) } : nil
        windDown = session == nil ? WindDown(to: next?.start, at: now) : nil
        let own = household.devices(of: person)
        asked = Asked.lately(own, at: now)
        hasAsked = !asked.isEmpty
        quiet = own.isEmpty ? "No device is enrolled." : "Quiet just now."
        left = LeftWords.lately(in: household, of: person.id, clock, now)
        let canChange = session == nil && (try? person.isNightTonight(at: now, in: household.zone)) == true
        let isSkipped = pending?.kind == .skip
        offersKeep = session?.cancelsAt != nil
        offersWake = session?.strictness == .flexible && !offersKeep
        wakeTime =
            offersWake && person.role != .adult
            ? session.map { household.zone.time(of: $0.endsAt).description } : nil
        offersPause = offersWake && person.pauseOffered(at: now, in: household.zone) != nil
        wakeLabel = session?.night == nil ? "Wake in 30 seconds" : "Wake for the rest of the night"
        offersBedtime = session == nil
        nothingAllowed = session == nil ? NothingAllowed(person, from: .household) : nil
        offersSkip = canChange && !isSkipped
        offersLater =
            offersSkip && pending.canBeLater
        bedtime = canChange ? next.map { household.zone.time(of: $0.start).description } ?? "22:00" : nil
        bonus = BonusButtons(person)
        quickBonus = person.role == .child ? bonus?.minutes.first : nil
        changesAt = (session?.due ?? next?.start).map(ClockFace.iso)
    }

    private static func why(_ session: SleepSession) -> String {
        let origin =
            switch session.mode {
            case .manual: "Started by hand"
            case .recurring: "Nightly schedule"
            }
        return origin + session.strictness.aside
    }

    /// What follows a cancel: a session by hand that ends inside a night is followed by that night.
    private static func afterCancel(
        _ session: SleepSession, _ nights: Nights?, _ clock: ClockFace, _ now: Date
    ) -> String {
        if session.night == nil, nights?.night(containing: session.due) != nil {
            return "Then the nightly schedule goes on."
        }
        return nextBedtime(nights?.nextNight(after: now), clock, now)
    }

    private static func nextBedtime(_ night: Night?, _ clock: ClockFace, _ now: Date) -> String {
        night.map { "The next bedtime is \(clock.on($0.start, from: now))." } ?? "No bedtime is planned."
    }

    private static func coming(
        _ night: Night?, _ person: Person, in zone: CivilZone, _ clock: ClockFace, _ now: Date
    ) -> String {
        guard let night, let schedule = person.schedule else { return "No bedtime is planned." }
        // Somebody woke them, or skipped the night; one that was moved is still to come.
        if let planned = person.plannedNights(in: zone)?.night(containing: now), planned.date != night.date {
            return "For the rest of the night. \(nextBedtime(night, clock, now))"
        }
        return clock.coming(night.start, from: now) + schedule.strictness.aside
    }

    /// A cancel, which the script counts down.
    struct Wakes {
        /// As ISO 8601.
        let at: String
        /// `Wakes in 28 s.`
        let text: String

        init(_ end: Date, from now: Date) {
            at = ClockFace.iso(end)
            text = "Wakes in \(ClockFace.seconds(from: now, to: end)) s."
        }
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

extension StrictnessMode {
    /// `, strict`; nothing for flexible: what can be cancelled needs no word.
    fileprivate var aside: String { self == .strict ? ", strict" : "" }
}

extension TonightChange {
    /// `30 minutes later than planned.`, `Tonight is skipped.`, `Monday night is skipped.`
    func words(in nights: Nights?, clock: ClockFace, now: Date) -> String {
        switch kind {
        case .later where isPause:
            guard let start = nights?.night(on: night)?.start else { return "" }
            return now < start
                ? "Awake until \(clock.time(start)). Then the night goes on."
                : "The night went on at \(clock.time(start))."
        case .later:
            return "\(abs(minutes)) minutes \(minutes < 0 ? "earlier" : "later") than planned."
        case .skip:
            guard let planned = nights?.planned(on: night), !clock.isTonight(planned.start, from: now) else {
                return "Tonight is skipped."
            }
            return "\(night.weekday.displayName) night is skipped."
        }
    }
}
