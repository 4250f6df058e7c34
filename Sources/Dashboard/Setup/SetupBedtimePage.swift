import Pages
package import Policy

/// A bedtime for everybody in one form, and what stays open at night. GET and POST `/setup/bedtime`.
package struct SetupBedtimePage: Page {
    package static let template = "setup-bedtime"

    struct Row {
        let id: Int64
        let name: String
        let start: String
        let end: String
        let startType: String
        let endType: String
        let isOn: Bool
        /// `Every night 22:00–07:00; Sat 23:30–08:30`, if some nights differ; those are changed on `/schedule`.
        let summary: String?
        let startError: String?
        let endError: String?
    }

    /// What stays open at night, for the people who have the same list.
    struct Open {
        struct Row {
            /// `Maps`
            let name: String
            /// `Google Maps, Apple Maps and others`
            let apps: String
        }

        struct Member {
            let id: Int64
            let name: String
        }

        /// The list of the first of them.
        let id: Int64
        let people: [Member]
        /// `Mia and Tom`; nil if one person lives here.
        let names: String?
        let apps: [Row]
    }

    package let title = "When is bedtime?"
    let progress: SetupProgress?
    let rows: [Row]
    let open: [Open]

    /// - Parameters:
    ///   - typed: what was sent and not saved; its fields keep it.
    ///   - errors: by field name.
    package init(
        _ household: Household, catalog: Catalog, step: SetupStep? = nil, typed: SetupBedtimeForm? = nil,
        errors: [String: String] = [:]
    ) {
        progress = step.map(SetupProgress.init)
        rows = household.people.map { person in
            Row(
                person, typed?.rows.first { $0.id == person.id }, isProposed: step != nil, errors: errors)
        }
        open = Open.all(household.people, in: catalog)
    }
}

extension SetupBedtimePage.Open {
    fileprivate static func all(_ people: [Person], in catalog: Catalog) -> [Self] {
        var groups: [(allowed: AppSelection, people: [Person])] = []
        for person in people {
            if let index = groups.firstIndex(where: { $0.allowed == person.allowed }) {
                groups[index].people.append(person)
            } else {
                groups.append((person.allowed, [person]))
            }
        }
        return groups.map { group in
            Self(
                id: group.people[0].id.rawValue,
                people: group.people.map { Member(id: $0.id.rawValue, name: $0.name) },
                names: people.count > 1 ? group.people.map(\.name).listed : nil,
                apps: rows(group.allowed, in: catalog))
        }
    }

    /// The categories, then what was chosen by itself.
    private static func rows(_ allowed: AppSelection, in catalog: Catalog) -> [Row] {
        let categories = catalog.categories.filter { allowed.categories.contains($0.id) }.map { category in
            Row(name: category.name, apps: some(catalog.apps(in: category.id).map(\.name)))
        }
        let single = allowed.apps.compactMap { catalog.app(id: $0)?.name } + allowed.domains
        return categories + (single.isEmpty ? [] : [Row(name: "More", apps: some(single.sorted()))])
    }

    /// `WhatsApp, Signal and others`
    private static func some(_ names: [String]) -> String {
        names.count > 2
            ? names.prefix(2).joined(separator: ", ") + " and others" : names.joined(separator: " and ")
    }
}

extension RecurringSchedule {
    /// What set-up proposes for a child: 20:30 to 07:00.
    fileprivate static let ofAChild: Self = {
        var schedule = Self.default
        schedule.start = TimeOfDay(hour: 20, minute: 30)
        return schedule
    }()
}

extension SetupBedtimePage.Row {
    /// - Parameter isProposed: whether a bedtime is switched on for people who have not decided, as in set-up.
    fileprivate init(
        _ person: Person, _ typed: SetupBedtimeForm.Row?, isProposed: Bool, errors: [String: String]
    ) {
        let schedule = person.schedule ?? (isProposed && person.role == .child ? .ofAChild : .default)
        id = person.id.rawValue
        name = person.name
        start = typed?.start ?? schedule.start.description
        end = typed?.end ?? schedule.end.description
        startType = SchedulePage.fieldType(start)
        endType = SchedulePage.fieldType(end)
        isOn = typed?.isOn ?? person.schedule?.isEnabled ?? isProposed
        let differs = !schedule.exceptions.isEmpty || schedule.days.count < Weekday.allCases.count
        summary =
            schedule.isEnabled && differs
            ? SchedulePage(values: .init(schedule), isSessionRunning: false).summary : nil
        startError = errors["start-\(id)"]
        endError = errors["end-\(id)"]
    }
}
