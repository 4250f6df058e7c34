extension Refusal {
    /// One or two calm sentences. It can hold what somebody typed: escape it on pages.
    package var message: String {
        switch self {
        case .unknownPerson: "This person is not here any more."
        case .unknownDevice: "This device is not known here."
        case .unknownOwnApp: "This is not an app that you added."
        case .unknownIDs(let ids): "Not in the catalog: \(Self.list(ids))."
        case .unknownDuration: "Choose 30m, 1h, 2h, 4h, 6h or 8h."
        case .sessionRunning: "A sleep session is already running."
        case .noSession: "No sleep session is running."
        case .strictSession: "Strict mode - session cannot be cancelled"
        case .sameTimes: "Bedtime and wake-up must be different times."
        case .noWeekdays: "Choose at least one day."
        case .exceptionWithoutWeekdays: "Choose at least one day for the other times."
        case .tooManyExceptions:
            "There can be at most \(RecurringSchedule.maximumExceptions) sets of other times."
        case .nightsOverlap(let day):
            "\(day.displayName)'s night would not be over by \(day.next.displayName)'s bedtime."
        case .noNightPlanned: "No night is planned."
        case .nightBegun: "This night has begun. It can only be changed before its bedtime."
        case .nightTooShort: "Any later, and the night would be over before it begins."
        case .deviceTaken(let name):
            "This device belongs to \(name). The owner can change that on the Devices page."
        case .deviceNotEnrolled: "Nothing is blocked on this device."
        case .lastPerson: "The last person cannot be removed."
        case .helpSwitchedOff: "Help is switched off in this home's settings."
        case .looseningStrict(let name):
            "\(name) has a strict session running, and this would loosen it. It is possible again when the session is over."
        case .nameMissing: "Give it a name."
        case .nameTooLong: "Use at most \(CleanName.maximum) characters."
        case .unknownZone: "This is not a time zone. One looks like Europe/Berlin."
        case .notOptional(let id): "\(id) is always reachable."
        case .tooManyOwnApps: "There can be at most \(Household.maximumOwnApps) apps of your own."
        case .tooManyDomains: "There can be at most \(Household.maximumDomains) domains here."
        case .domainMissing: "Enter a domain, for example example.org."
        case .domainInvalid(let text): "\(Self.short(text)) is not a domain name. One looks like example.org."
        case .domainIsAddress(let text):
            "\(Self.short(text)) is an address. Enter a domain name, like example.org."
        case .domainSingleLabel(let text):
            "\(Self.short(text)) is too short. Enter the whole name, like example.org."
        case .domainTooBroad(let text): "\(Self.short(text)) covers too many sites. Enter a name below it."
        }
    }

    private static func list(_ words: [String]) -> String {
        let shown = words.prefix(5).map(short).joined(separator: ", ")
        return words.count > 5 ? "\(shown) and \(words.count - 5) more" : shown
    }

    /// What somebody sent can be long, and can hold characters that turn a line around.
    private static func short(_ text: String) -> String {
        let clean = CleanName.cleaned(text)
        return clean.count > 80 ? "\(clean.prefix(80))…" : clean
    }
}
