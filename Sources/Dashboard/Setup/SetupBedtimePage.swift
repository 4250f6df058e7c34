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

    /// What stays open at night: `Maps`, `Google Maps, Apple Maps and others`.
    struct Open {
        let name: String
        let apps: String
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
        let allowed = household[person: person]?.allowed.categories ?? []
        open = catalog.categories.filter { allowed.contains($0.id) }.map { category in
            Open(name: category.name, apps: Self.some(catalog.apps(in: category.id).map(\.name)))
        }
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
