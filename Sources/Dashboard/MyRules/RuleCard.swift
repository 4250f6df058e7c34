import Foundation
import Pages
import Policy
import Store

/// One rule in sentences, and its last change.
struct RuleCard: Sendable {
    let title: String
    let lines: [String]
    /// A change that waits: `Takes effect on Sunday at 21:40: TikTok, no limit.`
    let waiting: [String]
    /// `Changed yesterday at 21:40, by Ada, on iPad.`; nil if it did not change within 90 days.
    let changed: String?

    /// The data for all cards.
    struct Facts {
        let person: Person
        let household: Household
        let catalog: Catalog
        let past: MyRulesPage.Past
        let clock: ClockFace
        let now: Date

        /// The latest change of these rules; the household's rules are in its own log.
        func changed(_ subjects: RuleSubject...) -> String? {
            let entries = subjects.compactMap { past.own[$0] ?? past.household[$0] }
            guard let latest = entries.max(by: { $0.id < $1.id }) else { return nil }
            return "Changed \(clock.past(latest.instant, from: now))\(latest.byWords)."
        }

        func name(_ target: LimitTarget) -> String { target.name(in: catalog) }
    }

    static func all(_ facts: Facts) -> [RuleCard] {
        [
            bedtime(facts), open(facts), antiRot(facts), limits(facts), loosening(facts), focus(facts),
            home(facts),
        ] + (dates(facts).map { [$0] } ?? [])
    }

    private static func bedtime(_ facts: Facts) -> RuleCard {
        RuleCard(
            title: "Bedtime",
            lines: BedtimeWords(facts.person, facts.household, facts.clock, facts.now).lines,
            waiting: [], changed: facts.changed(.schedule, .tonight))
    }

    /// Nil if there are none and nothing changed.
    private static func dates(_ facts: Facts) -> RuleCard? {
        let held = facts.household.dateExceptions(at: facts.now).filter {
            $0.people.contains(facts.person.id)
        }
        let changed = facts.changed(.dateExceptions)
        guard !held.isEmpty || changed != nil else { return nil }
        return RuleCard(
            title: "Exceptions",
            lines: held.isEmpty
                ? ["No date has other rules."]
                : held.filter { $0.waitsUntil == nil }.map {
                    "\($0.exception.dateWords): \($0.exception.instead.words)."
                },
            waiting: held.compactMap { held in
                held.waitsUntil.map {
                    "Changes \(facts.clock.on($0, from: facts.now)): \(held.exception.dateWords), \(held.exception.instead.words)."
                }
            }, changed: changed)
    }

    private static func open(_ facts: Facts) -> RuleCard {
        let allowed = facts.person.allowed
        let apps = allowed.apps.map { facts.name(.app($0)) }.sorted()
        let shelves = allowed.categories.map { "everything in \(facts.name(.category($0)))" }.sorted()
        let names = apps + shelves + allowed.domains.sorted()
        let always =
            "Phone calls, the time, and what a phone needs for Wi-Fi are always open."
        return RuleCard(
            title: "What stays open at night",
            lines: [names.isEmpty ? "No app was chosen." : "\(names.inSentence).".capitalisedFirst, always],
            waiting: [], changed: facts.changed(.allowedApps, .alwaysReachable, .ownApps))
    }

    private static func antiRot(_ facts: Facts) -> RuleCard {
        let sets = facts.person.antiRot.sets.filter(\.isConfigured)
        var lines = sets.map { set in
            let names = set.names(in: facts.catalog).capitalisedFirst
            let windows = (set.windows ?? []).map { "\($0.words) (\($0.days.words))" }
            return windows.isEmpty
                ? "\(names): blocked all day." : "\(names): open \(windows.inSentence), blocked outside."
        }
        if sets.count > 1 { lines.append("What is in several sets is open only while all of them are.") }
        lines.append(
            sets.isEmpty ? "No app has windows." : "“I'm Eating” opens them for 45 minutes, once a day.")
        let waiting = WaitingChange.all(
            of: facts.person, clock: facts.clock, now: facts.now, apps: true, windows: true)
        return RuleCard(
            title: "Anti-Rot", lines: lines,
            waiting: waiting.map { "Changes \($0.takesEffect): \($0.text)." },
            changed: facts.changed(.restrictedApps, .windows))
    }

    private static func limits(_ facts: Facts) -> RuleCard {
        let limits = facts.person.limits
        var lines = limits.list.map { "\(facts.name($0.target)): \($0.words(in: facts.catalog))." }
        if lines.isEmpty {
            lines = ["No app has a limit."]
        } else {
            let unlocks =
                switch limits.unlocksPerDay {
                case nil: "“Unlock for 1 min” works any number of times."
                case 0?: "“Unlock for 1 min” is switched off."
                case let count?: "“Unlock for 1 min” works \(count == 1 ? "once" : "\(count) times") a day."
                }
            let reset = TimeOfDay(hour: limits.resetHour, minute: 0).text
            lines.append("\(unlocks) The day begins at \(reset).")
        }
        if facts.person.closesWaysOut {
            lines.append("VPN sites and encrypted DNS are closed, by day too.")
        }
        return RuleCard(
            title: "Limits", lines: lines, waiting: facts.waiting { $0 == .limits || $0 == .limitSettings },
            changed: facts.changed(.limits, .limitSettings, .waysOut))
    }

    private static func loosening(_ facts: Facts) -> RuleCard {
        let hours = facts.person.looseningDelay
        let line =
            hours == 0
            ? "Changes to Anti-Rot and limits act at once."
            : "A change that makes Anti-Rot or limits easier waits \(hours) hours. A stricter change acts at once."
        return RuleCard(
            title: "Delay before rules get easier", lines: [line],
            waiting: facts.waiting { $0 == .looseningDelay },
            changed: facts.changed(.looseningDelay))
    }

    private static func focus(_ facts: Facts) -> RuleCard {
        let isOn = facts.person.focus.shieldsWhileFocusing
        return RuleCard(
            title: "Focus",
            lines: [
                isOn
                    ? "While the focus timer runs, Anti-Rot's apps are blocked."
                    : "The focus timer does not block anything."
            ], waiting: [], changed: facts.changed(.focusShield))
    }

    private static func home(_ facts: Facts) -> RuleCard {
        let help =
            facts.household.offersHelp
            ? "Help opens calls, messages, maps and health at any time. You need no permission."
            : "Help is switched off in this home."
        return RuleCard(
            title: "This home",
            lines: ["Times are in \(facts.household.timeZone.replacing("_", with: " ")).", help],
            waiting: [], changed: facts.changed(.timeZone, .offersHelp))
    }
}

extension RuleCard.Facts {
    /// The waiting changes of the chosen subjects.
    fileprivate func waiting(_ isMeant: (RuleSubject) -> Bool) -> [String] {
        let ids = Set(person.pending.filter { isMeant($0.change.ruleSubject) }.map(\.id.uuidString))
        let waiting = WaitingLimit.all(of: person, catalog: catalog, clock: clock, now: now)
        return waiting.filter { ids.contains($0.id) }.map {
            "Changes \($0.takesEffect): \([$0.name, $0.text].compactMap { $0 }.joined(separator: ", "))."
        }
    }
}

extension [String] {
    /// `A`, `A and B`, `A, B and C`.
    var inSentence: String {
        guard count > 1, let last else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension String {
    var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
