/// A member of the household, with their rules: every rule belongs to a person.
package struct Person: Hashable, Sendable, Identifiable {
    package enum Role: String, Codable, Sendable { case adult, child }

    package let id: PersonID
    package var name: String
    package var role: Role
    package var defaultStrictness: StrictnessMode
    package var allowed: AppSelection
    /// Nil until a schedule is saved; pages then show `RecurringSchedule.default` (SI-029).
    package var schedule: RecurringSchedule?
    package var tonight: TonightChange?
    package var session: SleepSession?
    /// The latest night that ended, was cancelled or was reset; it does not come back (C-12).
    package var nightDone: CivilDate?
    package var antiRot: AntiRot
    package var limits: Limits
    package var focus: Focus
    package var verified: VerifiedMinutes
    package var relayed: RelayedApps
    /// How long a change that loosens windows or limits waits, in hours: one of `PendingChange.delays`.
    package var looseningDelay: Int
    /// Presses in the latest night with a press.
    package var helpPresses: HelpPresses?
    /// In the order in which they fall due.
    package var pending: [PendingChange]
    /// Newest last; see `settleWishes` for how long they stay.
    package var wishes: [Wish]

    package init(
        id: PersonID, name: String, role: Role = .adult, defaultStrictness: StrictnessMode = .flexible,
        allowed: AppSelection = AppSelection(), schedule: RecurringSchedule? = nil,
        tonight: TonightChange? = nil, session: SleepSession? = nil, nightDone: CivilDate? = nil,
        antiRot: AntiRot = AntiRot(), limits: Limits = Limits(), focus: Focus = Focus(),
        verified: VerifiedMinutes = VerifiedMinutes(), relayed: RelayedApps = RelayedApps(),
        looseningDelay: Int = 0, helpPresses: HelpPresses? = nil, pending: [PendingChange] = [],
        wishes: [Wish] = []
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.defaultStrictness = defaultStrictness
        self.allowed = allowed
        self.schedule = schedule
        self.tonight = tonight
        self.session = session
        self.nightDone = nightDone
        self.antiRot = antiRot
        self.limits = limits
        self.focus = focus
        self.verified = verified
        self.relayed = relayed
        self.looseningDelay = looseningDelay
        self.helpPresses = helpPresses
        self.pending = pending
        self.wishes = wishes
    }
}
