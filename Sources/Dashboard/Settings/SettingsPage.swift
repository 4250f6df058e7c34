package import Pages
package import Policy

/// Settings: three cards, and rows that lead to `SettingPage` and other pages. The forms:
///
/// POST `/settings` `defaultStrictness` · `/settings/passcode` `current,passcode` · `/settings/time-zone` `timeZone`
/// · `/settings/help` `offersHelp` (`on` or absent)
/// · `/settings/clock` `clock` (`automatic`, `12`, `24`)
/// · `/settings/new-devices` `newDevices` (a person's id, or `children`; empty: not blocked)
/// · `/settings/private-answers` `names` (one on each line)
/// · `/settings/tokens` `name` · `/settings/tokens/{id}/delete` · `/settings/people` `name,role`
/// · `/settings/people/{id}` `name,role` · `/settings/people/{id}/delete` · `/logout`, with `everywhere=on` for all
/// browsers · GET `/settings/reset` (the second step) · GET `/settings/backup` (the file).
package struct SettingsPage: Page {
    package static let template = "settings"

    /// What pages may show of a bearer token; never the token itself.
    package struct Token: Sendable {
        package let id: String
        package let name: String
        /// `Made on 3 May, never used.`
        package let note: String

        package init(id: String, name: String, note: String) {
            self.id = id
            self.name = name
            self.note = note
        }
    }

    struct PersonRow {
        let id: Int64
        let name: String
        /// The name as it is, or as it was typed and refused.
        let typed: String
        let canRemove: Bool
        let roles: [Choice]
        let error: String?
    }

    /// What was typed in the form that was refused; its fields keep it.
    package struct Typed: Sendable {
        /// The name of a person or a token, or names.
        package let name: String?
        package let role: Person.Role?

        package init(name: String?, role: Person.Role? = nil) {
            self.name = name
            self.role = role
        }
    }

    package let title = "Settings"
    package let modes: [Choice]
    package let modeDescription: String
    package let zones: [Choice]
    package let zone: String
    package let offersHelp: Bool
    package let newDevices: [Choice]
    let clocks: [Choice]
    /// One name on each line.
    let privateAnswers: String
    let alwaysPrivate = PrivateAnswers.shipped.sorted().joined(separator: ", ")
    package let tokens: [Token]
    /// Shown once, right after it is made.
    package let newToken: String?
    let people: [PersonRow]
    let newRoles: [Choice]
    /// During a strict session, the zone and the person cannot change; the page says so first.
    package let isStrictRunning: Bool
    package let isSessionRunning: Bool
    package let version: String
    let groups: [Group]
    /// The person whose cards these are, if there are several people.
    let onlyFor: String?
    /// By field name: `defaultStrictness`, `current`, `passcode`, `timeZone`, `tokenName`, `personName`, `names`, and
    /// `person-7` for the row of person 7.
    package let errors: [String: String]
    let refusedName: String?

    package init(
        person: Person, household: Household, zones: [String], tokens: [Token] = [], newToken: String? = nil,
        version: String, errors: [String: String] = [:], typed: Typed? = nil
    ) {
        modes = Choice.strictness(person.defaultStrictness)
        modeDescription = person.defaultStrictness.description
        self.zones = Choice.zones(zones, selected: household.timeZone)
        zone = household.timeZone
        offersHelp = household.offersHelp
        newDevices =
            [
                Choice(
                    "", "Not blocked",
                    isSelected: household.newDevicesBelongTo == nil && household.familyOfNew == nil)
            ] + household.childrenChoice
            + household.members.map {
                Choice(
                    String($0.id.rawValue), $0.name, isSelected: $0.id == household.newDevicesBelongTo)
            }
        clocks = ClockSetting.allCases.map {
            Choice($0.rawValue, $0.displayName, isSelected: $0 == household.clock)
        }
        privateAnswers = typed?.name ?? household.privateAnswers.sorted().joined(separator: "\n")
        self.tokens = tokens
        self.newToken = newToken
        people = household.people.map { person in
            let error = errors["person-\(person.id.rawValue)"]
            let typed = error == nil ? nil : typed
            return PersonRow(
                id: person.id.rawValue, name: person.name, typed: typed?.name ?? person.name,
                canRemove: person.role == .shared || household.members.count > 1,
                roles: Person.Role.choices(selected: typed?.role ?? person.role), error: error)
        }
        newRoles = Person.Role.choices(selected: errors["personName"] == nil ? .adult : typed?.role ?? .adult)
        isSessionRunning = person.session?.isActive == true
        isStrictRunning = isSessionRunning && person.session?.strictness == .strict
        self.version = version
        onlyFor = household.people.count > 1 ? person.name : nil
        groups = [
            .of(person, isAlone: household.people.count == 1), .of(household),
            .ofServer(tokens: tokens.count),
        ]
        (self.errors, refusedName) = (errors, typed?.name)
    }
}

extension Household {
    fileprivate var childrenChoice: [Choice] {
        guard hasChild || familyOfNew != nil else { return [] }
        return [Choice("children", "The children’s times", isSelected: familyOfNew != nil)]
    }

    /// In a sentence of two or three words.
    var newDevicesWords: String {
        if familyOfNew != nil {
            return hasChild ? "The children’s rules" : "Everybody’s rules: no child is here"
        }
        return newDevicesBelongTo.flatMap { self[person: $0]?.name } ?? "Not blocked"
    }
}

extension Person.Role {
    /// The roles that a form offers; who stands for a device is no person.
    static func choices(selected: Person.Role) -> [Choice] {
        let roles: [Person.Role] = selected == .shared ? [.shared] : [.adult, .child]
        return roles.map { Choice($0.rawValue, $0.word, isSelected: $0 == selected) }
    }

    var word: String {
        switch self {
        case .adult: "Adult"
        case .child: "Child"
        case .shared: "Shared device"
        }
    }
}
