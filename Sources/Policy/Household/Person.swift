/// Somebody whose nights this house looks after; every rule belongs to a person.
package struct Person: Hashable, Codable, Sendable, Identifiable {
    package enum Role: String, Codable, Sendable, CaseIterable {
        case adult, child
        /// Nobody: stands for devices of the family that have times of their own (`FamilyUse`).
        case shared
    }

    package let id: PersonID
    package var name: String
    @Defaulted package var role: Role
    @Defaulted package var defaultStrictness: StrictnessMode
    @Defaulted package var allowed: AppSelection
    /// The schedule; before one is saved (nil), pages show `RecurringSchedule.default`.
    @Defaulted package var schedule: RecurringSchedule?
    @Defaulted package var tonight: TonightChange?
    /// What holds on some dates instead, in the order in which it was added.
    @Defaulted package var dateExceptions: [DateException]
    /// In a document of its own: what is damaged beside it opens nothing.
    package var session: SleepSession?
    /// The latest night that ended, was cancelled or was reset; it does not come back.
    @Defaulted package var nightDone: CivilDate?
    @Defaulted package var antiRot: AntiRot
    @Defaulted package var limits: Limits
    @Defaulted package var focus: Focus
    @Defaulted package var verified: VerifiedMinutes
    @Defaulted package var relayed: RelayedApps
    /// Whether an adult opened the ways out for this child (`WaysOut`).
    @Defaulted package var opensWaysOut: Bool
    /// How long a change that loosens windows or limits waits, in hours: one of `PendingChange.delays`.
    @Defaulted package var looseningDelay: Int
    /// The latest night in which they pressed it.
    @Defaulted package var helpPresses: HelpPresses?
    /// In the order in which they fall due.
    @Defaulted package var pending: [PendingChange]
    /// Newest last; see `settleWishes` for how long they stay.
    @Defaulted package var wishes: [Wish]

    /// With the seeds' own names.
    private enum CodingKeys: String, CodingKey {
        case id, name, role, defaultStrictness, tonight, dateExceptions, nightDone, antiRot, limits, focus
        case relayed, opensWaysOut
        case looseningDelay, helpPresses, wishes
        case allowed = "allowedApps"
        case schedule = "recurringSchedule"
        case verified = "disciplineDungeon"
        case pending = "pendingChanges"
    }

    package init(
        id: PersonID, name: String, role: Role = .adult, defaultStrictness: StrictnessMode = .flexible,
        allowed: AppSelection = AppSelection(), schedule: RecurringSchedule? = nil,
        tonight: TonightChange? = nil, dateExceptions: [DateException] = [],
        session: SleepSession? = nil, nightDone: CivilDate? = nil,
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
        self.dateExceptions = dateExceptions
        self.session = session
        self.nightDone = nightDone
        self.antiRot = antiRot
        self.limits = limits
        self.focus = focus
        self.verified = verified
        self.relayed = relayed
        opensWaysOut = false
        self.looseningDelay = looseningDelay
        self.helpPresses = helpPresses
        self.pending = pending
        self.wishes = wishes
    }
}
