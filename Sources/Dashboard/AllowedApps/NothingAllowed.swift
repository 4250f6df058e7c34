import Policy

/// The warning beside a bedtime button when the person allows nothing: POST `/allowed-apps/set` with `set=starting`,
/// and `from=household|session` for the page to return to.
struct NothingAllowed: Sendable {
    let person: Int64
    let name: String
    let from: String

    /// Nil if something is allowed.
    init?(_ person: Person, from page: Origin) {
        guard person.allowed.isEmpty else { return nil }
        self.person = person.id.rawValue
        name = person.name
        from = page.rawValue
    }

    enum Origin: String { case household, session }
}
