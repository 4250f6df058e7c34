import Dashboard
import Foundation
import Pages
import Policy

/// The household view, for `GoldenTests`.
extension PageState {
    static let everybody = [
        PageState(
            name: "household",
            page: HouseholdPage(
                household: family(), catalog: Sample.catalog, now: Sample.now),
            context: context(path: "/household", people: 2)),
        PageState(
            name: "household-undo", page: undone(.bedtime),
            context: context(path: "/household", people: 2)),
        PageState(
            name: "household-everybody", page: everybodyUndone(),
            context: context(path: "/household", people: 2)),
        PageState(
            name: "household-later", page: undone(.later), context: context(path: "/household", people: 2)),
        PageState(
            name: "household-refused",
            page: HouseholdPage(
                household: family(), catalog: Sample.catalog, now: Sample.now),
            context: context(
                path: "/household", notices: [.init(.refused, Refusal.undoTooLate.message)], people: 2)),
    ]

    /// Exceptions by date: the form, refused input, and lists on other pages.
    static let dates = [
        PageState(
            name: "dates", page: datesPage(Household.withDates()), context: context(path: "/dates", people: 2)
        ),
        PageState(
            name: "dates-first", page: datesPage(Sample.household(people: [Sample.person()])),
            context: context(path: "/dates")),
        PageState(
            name: "dates-refused",
            page: datesPage(
                Household.withDates(), last: "soon", instead: "times",
                errors: ["last": "Please give a date.", "people": Refusal.nobodyChosen.message]),
            context: context(path: "/dates", people: 2)),
        PageState(
            name: "household-dates",
            page: HouseholdPage(household: .withDates(), catalog: Sample.catalog, now: Sample.now),
            context: context(path: "/household", people: 2)),
    ]

    private static func datesPage(
        _ household: Household, last: String = "", instead: String = "weekday", errors: [String: String] = [:]
    ) -> DatesPage {
        DatesPage(
            household: household,
            values: .init(
                first: "2026-03-16", last: last, people: errors.isEmpty ? ["3"] : [], instead: instead,
                weekday: "sat", start: "23:00", end: "08:00"), errors: errors, now: Sample.now)
    }

    /// A person in a manual session, one near bedtime, and one with a request and a hostile name.
    static func family() -> Household {
        var mia = Person(id: PersonID(rawValue: 3), name: "Mia", role: .child, schedule: Sample.schedule)
        mia.schedule?.start = TimeOfDay(hour: 22, minute: 30)
        mia.limits.list = [UsageLimit(id: request, target: .app("tiktok"), minutes: 30)]
        mia.limits.requests = [
            TimeRequest(id: request, target: .app("tiktok"), device: nil, askedAt: Sample.at(hours: -0.2))
        ]
        let ben = Person(id: Sample.other, name: Sample.hostile, schedule: Sample.schedule)
        return Sample.household(people: [Sample.person(session: Sample.session(.strict)), ben, mia])
    }

    fileprivate static let request = UUID(uuidString: "0D9F61B5-6E4C-4E0B-8F0A-5B7B6E1C2D3F")!

    private static func undone(_ tap: OneTap) -> HouseholdPage {
        var household = family()
        guard
            let done = try? household.press(tap, on: Sample.other, by: "me", unique: request, at: Sample.now)
        else { return HouseholdPage(household: household, catalog: Sample.catalog, now: Sample.now) }
        return HouseholdPage(
            household: household, catalog: Sample.catalog,
            undo: .init(
                [done.press], in: household, catalog: Sample.catalog, now: Sample.now.addingTimeInterval(3)),
            now: Sample.now)
    }
}

extension PageState {
    /// Everybody was put to bed 3 seconds ago.
    private static func everybodyUndone() -> HouseholdPage {
        var household = family()
        let at = Sample.now.addingTimeInterval(-3)
        let ids = ["1B6D0C55-2F3A-4E0C-9A51-6C0D9E3B7F21", "5C9A7E10-7B1D-4F5E-8C2A-0A4E6D1B9F32"]
        var left = ids.compactMap { UUID(uuidString: $0) }[...]
        let done = try? household.pressToBed(
            .everybody, by: "me", unique: request, session: { left.removeFirst() }, at: at)
        return HouseholdPage(
            household: household, catalog: Sample.catalog,
            undo: .init(done?.map(\.press) ?? [], in: household, catalog: Sample.catalog, now: Sample.now),
            now: Sample.now)
    }
}

/// What was just blocked.
extension PageState {
    static let justBlocked = [
        PageState(name: "just-blocked", page: blocked(), context: context(path: "/just-blocked", people: 2)),
        PageState(
            name: "just-blocked-own", page: blocked(signedIn: false),
            context: context(signedIn: false, path: "/just-blocked")),
        PageState(
            name: "just-blocked-unconfirmed",
            page: JustBlockedPage(
                devices: [], thisDevice: nil, household: Sample.household(), catalog: Sample.catalog,
                hiddenReason: "This device is not confirmed yet.", hidesOthers: false,
                zone: Sample.zone, names: { _ in [] }),
            context: context(signedIn: false, path: "/just-blocked")),
    ]

    private static func blocked(signedIn: Bool = true) -> JustBlockedPage {
        let own = Sample.devices.filter { $0.person != nil }
        return JustBlockedPage(
            devices: signedIn ? own : [own[0]], thisDevice: own[0].id, household: Sample.household(),
            catalog: Sample.catalog, hiddenReason: nil, hidesOthers: signedIn, canAsk: !signedIn,
            zone: Sample.zone
        ) { device in
            guard device.id == own[0].id else { return [] }
            return [
                ("v16.tiktokcdn.com", Layer.sleep), ("tiktok.com", .sleep), ("cdn.example.net", .sleep),
                ("api.spotify.com", .sleep), ("i.instagram.com", .limits),
            ].enumerated().map { index, name in
                JustBlocked.Name(
                    name.0, person: Sample.me, layer: name.1,
                    at: Sample.now.addingTimeInterval(-40 * Double(index)))
            }
        }
    }
}

extension Household {
    /// The family with holidays for two, a late evening that waits, and a day without rules.
    fileprivate static func withDates() -> Household {
        var household = PageState.family()
        let dates = [("16", "22"), ("20", "20"), ("14", "14")].enumerated().map { index, days in
            DateException(
                id: UUID(uuidString: "0D9F61B5-6E4C-4E0B-8F0A-5B7B6E1C2D4\(index)")!,
                first: CivilDate("2026-03-\(days.0)")!, last: CivilDate("2026-03-\(days.1)")!,
                instead: [
                    .weekday(.sat),
                    .times(start: TimeOfDay(hour: 23, minute: 30), end: TimeOfDay(hour: 9, minute: 0)),
                    .nothing,
                ][index])
        }
        household.people[1].dateExceptions = [dates[0]]
        household.people[2].dateExceptions = [dates[0], dates[2]]
        household.people[2].pending = [
            PendingChange(id: dates[1].id, due: Sample.at(hours: 8), change: .dateException(dates[1]))
        ]
        return household
    }
}
