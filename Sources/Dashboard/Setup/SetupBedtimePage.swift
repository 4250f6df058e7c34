import Pages
package import Policy

/// A bedtime for everybody, and what stays open at night. GET `/setup/bedtime`; it posts to `/schedule` with
/// `from=setup`, and with `everyone=on` for all people.
package struct SetupBedtimePage: Page {
    package static let template = "setup-bedtime"

    struct Row {
        let id: Int64
        let name: String
        let start: String
        let end: String
        let startType: String
        let endType: String
        let strictness: String
        /// `Every night 22:00–07:00 · 9 h`, once it is saved; then the form is on `/schedule`.
        let summary: String?
        let errors: [String: String]
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

        /// Of the first of them.
        let id: Int64
        let people: [Member]
        /// `Mia and Tom`; nil if one person lives here.
        let names: String?
        let apps: [Row]
    }

    package let title = "When is bedtime?"
    let progress: SetupProgress?
    let rows: [Row]
    let hasSeveral: Bool
    let isDone: Bool
    let open: [Open]

    /// - Parameter typed: what the person's form said, if it was not saved.
    package init(
        _ household: Household, person: PersonID, catalog: Catalog, step: SetupStep? = nil,
        typed: SchedulePage.Values? = nil, errors: [String: String] = [:]
    ) {
        progress = step.map(SetupProgress.init)
        rows = household.people.map { one in
            let isTyped = typed != nil && one.id == person
            let values = isTyped ? typed! : SchedulePage.Values(one.schedule ?? .default)
            return Row(
                one, values, isSaved: !isTyped && one.schedule?.isEnabled == true,
                errors: isTyped ? errors : [:])
        }
        hasSeveral = household.people.count > 1
        isDone = rows.allSatisfy { $0.summary != nil }
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

extension SetupBedtimePage.Row {
    fileprivate init(
        _ person: Person, _ values: SchedulePage.Values, isSaved: Bool, errors: [String: String]
    ) {
        id = person.id.rawValue
        name = person.name
        start = values.start
        end = values.end
        startType = SchedulePage.fieldType(values.start)
        endType = SchedulePage.fieldType(values.end)
        strictness = person.defaultStrictness.rawValue
        summary = isSaved ? SchedulePage(values: values, isSessionRunning: false).summary : nil
        self.errors = errors
    }
}
