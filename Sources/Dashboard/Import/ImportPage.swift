import Moving
import Pages
package import Policy

/// Moving in from AdGuard Home or Pi-hole. The forms:
///
/// POST `/settings/import` with `file` (multipart) reads a file · POST `/settings/import/take` `file` (the id of what was read),
/// `take` (a client's place in the file, once for each), `owner-<place>` (empty: nobody's; `person-<id>`; `new-<name>`), `new`
/// and `role` (a new person's name, and `child` or `adult`, once for each), `step` (`look` draws the list anew, `take` takes
/// it).
package struct ImportPage: Page {
    package static let template = "import"

    package let title = "Moving in"
    let maximum = ForeignFile.maximumText
    let maximumBytes = ForeignFile.maximum
    /// Why the last file could not be read.
    let error: String?
    let preview: Preview?

    package init(error: String? = nil) {
        self.error = error
        preview = nil
    }

    /// - Parameter file: the id of the file's contents (`ForeignHouseholds`).
    package init(
        _ plan: ImportPlan, proposed: ImportPlan, file: String, household: Household, catalog: Catalog,
        refused: String? = nil
    ) {
        error = nil
        preview = Preview(plan, proposed, file, household, catalog.adding(household.ownApps), refused)
    }

    /// Both lists of one file.
    struct Preview {
        let source: String
        let file: String
        let rows: [Row]
        let people: [NewPerson]
        let rules: [Rule]
        let notTaken: [String]
        /// Why it was not taken.
        let refused: String?
        let hasRows: Bool
        let hasPeople: Bool
        let hasRules: Bool
        let hasNotTaken: Bool

        init(
            _ plan: ImportPlan, _ proposed: ImportPlan, _ file: String, _ household: Household,
            _ catalog: Catalog, _ refused: String?
        ) {
            source = plan.source.name
            self.file = file
            self.refused = refused
            let new = ImportOwner.newNames(in: [proposed, plan])
            rows = plan.devices.map { Row($0, household, new) }
            rules = plan.rules.map { Rule($0, plan, household, catalog) }
            notTaken = plan.notTaken
            people = plan.people.enumerated().map(NewPerson.init)
            (hasRows, hasPeople) = (!rows.isEmpty, !people.isEmpty)
            (hasRules, hasNotTaken) = (!rules.isEmpty, !notTaken.isEmpty)
        }
    }

    /// One client with its tick and its owner.
    struct Row {
        let id: Int
        let name: String
        let about: String
        let isChosen: Bool
        /// The person of the known device, who keeps it.
        let keeps: String?
        let owners: [Choice]

        init(_ device: ImportPlan.Taken, _ household: Household, _ new: [String]) {
            id = device.client
            name = device.name
            let kind = device.kind == .other ? nil : device.kind.title
            let known = device.known.flatMap { household[device: $0] }
            let here = known.map { $0.name == device.name ? "here already" : "here already as \($0.name)" }
            about = ([kind] + (device.hardware + device.addresses) + [here]).compactMap { $0 }
                .joined(separator: " · ")
            isChosen = device.isChosen
            keeps = device.keeps.flatMap { household[person: $0]?.name }
            owners = ImportOwner.choices(selected: device.owner, household, new)
        }
    }

    /// Somebody whom the file brings, and whether they are a child.
    struct NewPerson {
        let id: Int
        let name: String
        let roles: [Choice]

        init(_ id: Int, _ person: ImportPlan.NewPerson) {
            (self.id, name) = (id, person.name)
            roles = Person.Role.choices(selected: person.isChild ? .child : .adult)
        }
    }

    /// The apps that one person's Anti-Rot gets.
    struct Rule {
        let name: String
        /// "New", "New, a child"; nil for a person who is here.
        let mark: String?
        let apps: String
        let times: String

        init(_ rules: ImportPlan.Rules, _ plan: ImportPlan, _ household: Household, _ catalog: Catalog) {
            name = household.name(of: rules.owner)
            let new = plan.people.first { .new($0.name) == rules.owner }
            mark = new.map { $0.isChild ? "New, a child" : "New" }
            apps = rules.names(in: catalog)
            times = rules.times
        }
    }
}

/// An owner as a form's value.
enum ImportOwner {
    static func newNames(in plans: [ImportPlan]) -> [String] {
        var names: [String] = []
        for device in plans.flatMap(\.devices) {
            if case .new(let name) = device.owner, !names.contains(name) { names.append(name) }
        }
        return names
    }

    static func choices(selected: ImportPlan.Owner, _ household: Household, _ new: [String]) -> [Choice] {
        [Choice("", "Nobody’s: never blocked", isSelected: selected == .nobody)]
            + household.members.map {
                Choice("person-\($0.id.rawValue)", $0.name, isSelected: selected == .person($0.id))
            }
            + new.map { Choice("new-\($0)", "New: \($0)", isSelected: selected == .new($0)) }
    }

    /// Nil for a value that no form has.
    static func owner(_ value: String, in household: Household) -> ImportPlan.Owner? {
        if value.isEmpty { return .nobody }
        if value.hasPrefix("new-") { return household.owner(named: String(value.dropFirst(4))) }
        guard value.hasPrefix("person-"), let number = Int64(value.dropFirst(7)) else { return nil }
        let id = PersonID(rawValue: number)
        return household[person: id].map { _ in .person(id) }
    }
}
