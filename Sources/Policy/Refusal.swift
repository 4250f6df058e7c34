/// A reason for which something that a person asked for is not done; nothing was changed.
///
/// `code` is stable, for programs; `message` is for people. Input is refused with 422 beside its field, an
/// action that does not fit the moment with 409 (`isAboutInput`).
package enum Refusal: Error, Hashable, Sendable {
    // Who and what
    case unknownPerson, unknownDevice, unknownOwnApp
    case unknownIDs([String])
    // Sessions
    case unknownDuration, sessionRunning, noSession, strictSession
    // The nightly schedule
    case sameTimes, noWeekdays, exceptionWithoutWeekdays, tooManyExceptions
    case nightsOverlap(Weekday)
    case noNightPlanned, nightBegun, nightTooShort
    // Devices and people
    case deviceTaken(by: String)
    case deviceNotEnrolled, lastPerson, helpSwitchedOff
    /// A strict session runs, and this would loosen it; the name of the person who sleeps.
    case looseningStrict(of: String)
    // Input
    case nameMissing, nameTooLong, unknownZone
    case notOptional(String)
    case tooManyOwnApps, tooManyDomains
    case domainMissing
    case domainInvalid(String)
    case domainIsAddress(String)
    case domainSingleLabel(String)
    case domainTooBroad(String)

    package var code: String {
        switch self {
        case .unknownPerson: "unknown-person"
        case .unknownDevice: "unknown-device"
        case .unknownOwnApp: "unknown-own-app"
        case .unknownIDs: "unknown-ids"
        case .unknownDuration: "unknown-duration"
        case .sessionRunning: "session-running"
        case .noSession: "no-session"
        case .strictSession: "strict-session"
        case .sameTimes: "same-times"
        case .noWeekdays: "no-weekdays"
        case .exceptionWithoutWeekdays: "exception-without-weekdays"
        case .tooManyExceptions: "too-many-exceptions"
        case .nightsOverlap: "nights-overlap"
        case .noNightPlanned: "no-night-planned"
        case .nightBegun: "night-begun"
        case .nightTooShort: "night-too-short"
        case .deviceTaken: "device-taken"
        case .deviceNotEnrolled: "device-not-enrolled"
        case .lastPerson: "last-person"
        case .helpSwitchedOff: "help-switched-off"
        case .looseningStrict: "loosening-strict"
        case .nameMissing: "name-missing"
        case .nameTooLong: "name-too-long"
        case .unknownZone: "unknown-zone"
        case .notOptional: "not-optional"
        case .tooManyOwnApps: "too-many-own-apps"
        case .tooManyDomains: "too-many-domains"
        case .domainMissing: "domain-missing"
        case .domainInvalid: "domain-invalid"
        case .domainIsAddress: "domain-is-address"
        case .domainSingleLabel: "domain-single-label"
        case .domainTooBroad: "domain-too-broad"
        }
    }

    /// Whether what was typed or sent is at fault, rather than the moment.
    package var isAboutInput: Bool {
        switch self {
        case .unknownPerson, .unknownDevice, .unknownOwnApp, .sessionRunning, .noSession, .strictSession,
            .noNightPlanned, .nightBegun, .nightTooShort, .deviceTaken, .deviceNotEnrolled, .lastPerson,
            .helpSwitchedOff, .looseningStrict, .tooManyOwnApps:
            false
        default: true
        }
    }
}
