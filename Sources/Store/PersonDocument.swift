import Foundation
import Policy

/// A person as JSON, with the seeds' own key names; what is not there has no key, also in files of older versions.
struct PersonDocument: Codable {
    var id: Int64
    var name: String
    var role: String
    /// The raw value, not JSON inside JSON (SI-019).
    var defaultStrictness: String
    var allowedApps: SortedSelection
    var recurringSchedule: RecurringSchedule?
    var activeSession: SessionDocument?
    var tonight: TonightChange?
    var nightDone: CivilDate?
    var helpPresses: HelpPresses?
    var selectedApps: SortedSelection?
    var allowedWindows: [TimeWindowDocument]?
    var overrideState: OverrideState?
    var limits: [UsageLimitDocument]?
    var limitSettings: LimitSettingsDocument?
    var persistentBlockedTokens: [ReachedLimitDocument]?
    var probationTokens: [ProbationDocument]?
    var extraTime: [ExtraTimeDocument]?
    var timeRequests: [TimeRequestDocument]?
    var pendingChanges: [PendingChangeDocument]?
    var wishes: [WishDocument]?
    var focus: FocusDocument?
    var disciplineDungeon: VerifiedDocument?
    var relayed: RelayedDocument?

    private enum CodingKeys: String, CodingKey {
        case id, name, role, defaultStrictness, allowedApps, recurringSchedule, activeSession, tonight
        case nightDone, helpPresses, selectedApps, allowedWindows, overrideState, limits, limitSettings,
            extraTime
        case timeRequests, pendingChanges, wishes, focus, disciplineDungeon, relayed
        case persistentBlockedTokens = "PersistentBlockedTokens"
        case probationTokens = "ProbationTokens"
    }

    init(_ person: Person) {
        id = person.id.rawValue
        name = person.name
        role = person.role.rawValue
        defaultStrictness = person.defaultStrictness.rawValue
        allowedApps = person.allowed.sorted
        recurringSchedule = person.schedule
        activeSession = person.session.map(SessionDocument.init)
        tonight = person.tonight
        nightDone = person.nightDone
        helpPresses = person.helpPresses
        selectedApps = person.antiRot.restricted?.sorted
        allowedWindows = person.antiRot.windows?.map(TimeWindowDocument.init)
        overrideState = person.antiRot.override == OverrideState() ? nil : person.antiRot.override
        limits = person.limits.list.map(UsageLimitDocument.init).unlessEmpty
        limitSettings =
            person.limitSettings == LimitSettings() ? nil : LimitSettingsDocument(person.limitSettings)
        persistentBlockedTokens = person.limits.reached.map(ReachedLimitDocument.init).unlessEmpty
        probationTokens = person.limits.probations.map(ProbationDocument.init).unlessEmpty
        extraTime = person.limits.extraTime.map(ExtraTimeDocument.init).unlessEmpty
        timeRequests = person.limits.requests.map(TimeRequestDocument.init).unlessEmpty
        pendingChanges = person.pending.map(PendingChangeDocument.init).unlessEmpty
        wishes = person.wishes.map(WishDocument.init).unlessEmpty
        focus = person.focus == Focus() ? nil : FocusDocument(person.focus)
        disciplineDungeon =
            person.verified == VerifiedMinutes() ? nil : VerifiedDocument(person.verified)
        relayed = person.relayed.isOn ? RelayedDocument(person.relayed) : nil
    }

    var person: Person {
        var person = Person(
            id: PersonID(rawValue: id), name: name, role: Person.Role(rawValue: role) ?? .adult,
            defaultStrictness: StrictnessMode(rawValue: defaultStrictness) ?? .flexible,
            allowed: allowedApps.selection, schedule: recurringSchedule, tonight: tonight,
            session: activeSession?.session, nightDone: nightDone, antiRot: antiRot,
            helpPresses: helpPresses, pending: pendingChanges?.compactMap(\.pending) ?? [],
            wishes: wishes?.compactMap(\.wish) ?? [])
        person.limits.list = limits?.compactMap(\.limit) ?? []
        person.limits.reached = persistentBlockedTokens?.compactMap(\.reached) ?? []
        person.limits.probations = probationTokens?.compactMap(\.probation) ?? []
        person.limits.extraTime = extraTime?.compactMap(\.extra) ?? []
        person.limits.requests = timeRequests?.compactMap(\.request) ?? []
        person.limitSettings = limitSettings?.settings ?? LimitSettings()
        person.focus = focus?.focus ?? Focus()
        person.verified = disciplineDungeon?.verified ?? VerifiedMinutes()
        person.relayed = relayed?.relayed ?? RelayedApps()
        return person
    }

    /// A window that cannot be read is none (AR-019).
    private var antiRot: AntiRot {
        AntiRot(
            restricted: selectedApps?.selection, windows: allowedWindows?.compactMap(\.window),
            override: overrideState ?? OverrideState())
    }
}

extension Array {
    fileprivate var unlessEmpty: Self? { isEmpty ? nil : self }
}
