import Dashboard
import Foundation
import Pages
import Policy

/// The household view as `GoldenTests` keeps it.
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
            name: "household-later", page: undone(.later), context: context(path: "/household", people: 2)),
        PageState(
            name: "household-refused",
            page: HouseholdPage(
                household: family(), catalog: Sample.catalog, now: Sample.now),
            context: context(
                path: "/household", notices: [.init(.refused, Refusal.undoTooLate.message)], people: 2)),
    ]

    /// Somebody asleep by hand, somebody whose bedtime is near, and somebody who asks, under a hostile name.
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

    private static let request = UUID(uuidString: "0D9F61B5-6E4C-4E0B-8F0A-5B7B6E1C2D3F")!

    private static func undone(_ tap: OneTap) -> HouseholdPage {
        var household = family()
        guard
            let done = try? household.press(tap, on: Sample.other, by: "me", unique: request, at: Sample.now)
        else { return HouseholdPage(household: household, catalog: Sample.catalog, now: Sample.now) }
        return HouseholdPage(
            household: household, catalog: Sample.catalog,
            undo: .init(done.press, in: household, now: Sample.now.addingTimeInterval(3)), now: Sample.now)
    }
}
