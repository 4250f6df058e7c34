/// Why a request is not carried out; nothing was changed.
///
/// `code` is stable, for programs; `message` is for people. Bad input is refused with 422 beside its field, an action
/// that does not fit the moment with 409 (`isAboutInput`).
package enum Refusal: Error, Hashable, Sendable {
    // Who and what
    case unknownPerson, unknownDevice, unknownOwnApp
    case unknownIDs([String])
    // Sessions
    case unknownDuration, sessionRunning, everybodyAsleep, noSession, strictSession
    // The nightly schedule
    case sameTimes, noWeekdays, exceptionWithoutWeekdays, tooManyExceptions
    case nightsOverlap(Weekday)
    case noNightPlanned, nightBegun, nightTooShort, bedtimeOver, laterUsedUp, noNightTonight, noNightToSleepOn
    // One tap
    case undoTooLate, undoNotYours, undoOvertaken
    // Dates
    case datesOutOfOrder, exceptionTooLong, exceptionOver, nobodyChosen, tooManyDateExceptions
    case unknownDateException
    // Devices and people
    case deviceTaken(by: String)
    case deviceNotEnrolled, lastPerson, helpSwitchedOff, tryOnExempt
    /// A phone that learns that the network is closed leaves it, and so escapes the block.
    case onlyTablets
    /// The question whether a new device is a known one (`Return`) is not open, or no longer.
    case returnNotOffered
    /// A router asks for everything behind it.
    case deviceIsRouter
    /// A strict session runs, and this would loosen it; the sleeper's name.
    case looseningStrict(of: String)
    /// This would loosen at once what must wait this many hours; the person's name.
    case looseningWaits(of: String, hours: Int)
    /// This would show an adult's use to others (design.md, Trust); the adult's name.
    case adultsOwnRole(String)
    // Fairness
    /// Who stands for a device is no person.
    case roleOfDevices
    case childrenStay, onlyForChildren, noEarlierEnd, deviceUnconfirmed, deviceUnplaced, leaveOnOwnDevice
    case askOnOwnDevice, wishOpen, reasonTooLong, appAllowed, tooManyWishes
    // Windows
    case windowSameTimes
    /// The existing window that it overlaps.
    case windowsOverlap(TimeWindow)
    case unknownWindow, emptyScheduleUnconfirmed, labelTooLong, tooManyWindows, overrideUsed, overrideRunning
    case overrideOfNothing
    case appsOnly, unknownWindowSet, tooManyWindowSets
    case windowSetNameTaken(String)
    // Limits
    case limitOutOfRange, weeklyOutOfRange, unknownLimit, unknownTarget, limitNotReached, unlocksUsedUp
    case bonusOutOfRange, unknownRequest, requestAnswered, nobodyToAsk, resetHourOutOfRange, unlocksOutOfRange
    /// Not one of `PendingChange.delays`.
    case unknownDelay
    // Focus
    case focusRunning, focusNotRunning, focusNotPaused, focusLengthOutOfRange
    /// A file that is not a `timer-state.json` or `sessions.json`.
    case timerStateUnreadable, sessionsUnreadable
    // Verified minutes
    case nothingProductive, nothingComputed
    /// The day that was computed, and the day that is yesterday now.
    case computedForAnotherDay(CivilDate, CivilDate)
    case serverAddressUnreadable, accessTokenMissing, accessTokenUnreadable
    case dateUnreadable, dateOutOfRange, minutesOutOfRange, sourceUnreadable, computedAtUnreadable
    case selectionVersionUnknown, selectionTooLarge, selectionUnreadable, tokenCountOutOfRange
    // Webhooks
    case webhookAddressUnreadable, webhookHasPassword, webhookLeadsHere, webhookNeedsTLS
    case webhookWithoutEvents, tooManyWebhooks, unknownWebhook, webhookFormUnknown
    // Moving in
    case nothingToImport
    /// The household changed since the preview.
    case importOvertaken
    // When things change
    case unknownNotice
    // Input
    case nameMissing, nameTooLong, unknownZone, noteTooLong
    /// Two people with the same name cannot be told apart.
    case personNameTaken(String)
    case notOptional(String)
    case tooManyOwnApps, tooManyDomains
    case domainMissing
    case domainInvalid(String)
    case domainIsAddress(String)
    case domainSingleLabel(String)
    case domainTooBroad(String)
    /// The domain, and the name of the catalog's app that has it.
    case domainTaken(String, by: String)

    package var code: String {
        switch self {
        case .unknownPerson: "unknown-person"
        case .unknownDevice: "unknown-device"
        case .unknownOwnApp: "unknown-own-app"
        case .unknownIDs: "unknown-ids"
        case .unknownDuration: "unknown-duration"
        case .sessionRunning: "session-running"
        case .everybodyAsleep: "everybody-asleep"
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
        case .bedtimeOver: "bedtime-over"
        case .laterUsedUp: "later-used-up"
        case .noNightTonight: "no-night-tonight"
        case .noNightToSleepOn: "no-night-to-sleep-on"
        case .undoTooLate: "undo-too-late"
        case .undoNotYours: "undo-not-yours"
        case .undoOvertaken: "undo-overtaken"
        case .datesOutOfOrder: "dates-out-of-order"
        case .exceptionTooLong: "exception-too-long"
        case .exceptionOver: "exception-over"
        case .nobodyChosen: "nobody-chosen"
        case .tooManyDateExceptions: "too-many-date-exceptions"
        case .unknownDateException: "unknown-date-exception"
        case .deviceTaken: "device-taken"
        case .deviceNotEnrolled: "device-not-enrolled"
        case .returnNotOffered: "return-not-offered"
        case .deviceIsRouter: "device-is-router"
        case .lastPerson: "last-person"
        case .helpSwitchedOff: "help-switched-off"
        case .tryOnExempt: "try-on-exempt"
        case .onlyTablets: "only-tablets"
        case .looseningStrict: "loosening-strict"
        case .looseningWaits: "loosening-waits"
        case .adultsOwnRole: "adults-own-role"
        case .childrenStay: "children-stay"
        case .roleOfDevices: "role-of-devices"
        case .onlyForChildren: "only-for-children"
        case .noEarlierEnd: "no-earlier-end"
        case .deviceUnconfirmed: "device-unconfirmed"
        case .deviceUnplaced: "device-unplaced"
        case .leaveOnOwnDevice: "leave-on-own-device"
        case .askOnOwnDevice: "ask-on-own-device"
        case .wishOpen: "wish-open"
        case .reasonTooLong: "reason-too-long"
        case .appAllowed: "app-allowed"
        case .tooManyWishes: "too-many-wishes"
        case .windowSameTimes: "window-same-times"
        case .windowsOverlap: "windows-overlap"
        case .unknownWindow: "unknown-window"
        case .unknownWindowSet: "unknown-window-set"
        case .tooManyWindowSets: "too-many-window-sets"
        case .windowSetNameTaken: "window-set-name-taken"
        case .emptyScheduleUnconfirmed: "empty-schedule-unconfirmed"
        case .labelTooLong: "label-too-long"
        case .tooManyWindows: "too-many-windows"
        case .overrideUsed: "override-used"
        case .overrideRunning: "override-running"
        case .overrideOfNothing: "override-of-nothing"
        case .appsOnly: "apps-only"
        case .limitOutOfRange: "limit-out-of-range"
        case .weeklyOutOfRange: "weekly-out-of-range"
        case .unknownLimit: "unknown-limit"
        case .unknownTarget: "unknown-target"
        case .limitNotReached: "limit-not-reached"
        case .unlocksUsedUp: "unlocks-used-up"
        case .bonusOutOfRange: "bonus-out-of-range"
        case .unknownRequest: "unknown-request"
        case .requestAnswered: "request-answered"
        case .nobodyToAsk: "nobody-to-ask"
        case .resetHourOutOfRange: "reset-hour-out-of-range"
        case .unlocksOutOfRange: "unlocks-out-of-range"
        case .unknownDelay: "unknown-delay"
        case .focusRunning: "focus-running"
        case .focusNotRunning: "focus-not-running"
        case .focusNotPaused: "focus-not-paused"
        case .focusLengthOutOfRange: "focus-length-out-of-range"
        case .timerStateUnreadable: "timer-state-unreadable"
        case .sessionsUnreadable: "sessions-unreadable"
        case .nothingProductive: "nothing-productive"
        case .nothingComputed: "nothing-computed"
        case .computedForAnotherDay: "computed-for-another-day"
        case .serverAddressUnreadable: "server-address-unreadable"
        case .accessTokenMissing: "access-token-missing"
        case .accessTokenUnreadable: "access-token-unreadable"
        case .dateUnreadable: "date-unreadable"
        case .dateOutOfRange: "date-out-of-range"
        case .minutesOutOfRange: "minutes-out-of-range"
        case .sourceUnreadable: "source-unreadable"
        case .computedAtUnreadable: "computed-at-unreadable"
        case .selectionVersionUnknown: "selection-version-unknown"
        case .selectionTooLarge: "selection-too-large"
        case .selectionUnreadable: "selection-unreadable"
        case .tokenCountOutOfRange: "token-count-out-of-range"
        case .webhookAddressUnreadable: "webhook-address-unreadable"
        case .webhookHasPassword: "webhook-has-password"
        case .webhookLeadsHere: "webhook-leads-here"
        case .webhookNeedsTLS: "webhook-needs-tls"
        case .webhookWithoutEvents: "webhook-without-events"
        case .tooManyWebhooks: "too-many-webhooks"
        case .unknownWebhook: "unknown-webhook"
        case .webhookFormUnknown: "webhook-form-unknown"
        case .nothingToImport: "nothing-to-import"
        case .importOvertaken: "import-overtaken"
        case .unknownNotice: "unknown-notice"
        case .nameMissing: "name-missing"
        case .nameTooLong: "name-too-long"
        case .noteTooLong: "note-too-long"
        case .personNameTaken: "person-name-taken"
        case .unknownZone: "unknown-zone"
        case .notOptional: "not-optional"
        case .tooManyOwnApps: "too-many-own-apps"
        case .tooManyDomains: "too-many-domains"
        case .domainMissing: "domain-missing"
        case .domainInvalid: "domain-invalid"
        case .domainIsAddress: "domain-is-address"
        case .domainSingleLabel: "domain-single-label"
        case .domainTooBroad: "domain-too-broad"
        case .domainTaken: "domain-taken"
        }
    }

    /// Whether the input is at fault, not the moment.
    package var isAboutInput: Bool {
        switch self {
        case .looseningWaits, .adultsOwnRole, .childrenStay, .roleOfDevices, .onlyForChildren,
            .deviceUnconfirmed, .deviceUnplaced, .leaveOnOwnDevice, .askOnOwnDevice, .wishOpen, .appAllowed,
            .tooManyWishes,
            .unknownPerson, .unknownDevice, .unknownOwnApp, .sessionRunning, .everybodyAsleep, .noSession,
            .strictSession,
            .noNightPlanned, .nightBegun, .nightTooShort, .bedtimeOver, .laterUsedUp, .noNightTonight,
            .noNightToSleepOn,
            .undoTooLate,
            .undoNotYours, .undoOvertaken, .unknownDateException, .deviceTaken, .deviceNotEnrolled,
            .returnNotOffered,
            .lastPerson,
            .helpSwitchedOff, .tryOnExempt, .looseningStrict, .tooManyOwnApps, .unknownWindow,
            .unknownWindowSet, .overrideUsed,
            .overrideRunning, .overrideOfNothing,
            .unknownLimit, .limitNotReached, .unlocksUsedUp, .unknownRequest, .requestAnswered,
            .nobodyToAsk,
            .focusRunning, .focusNotRunning, .focusNotPaused, .nothingProductive, .nothingComputed,
            .computedForAnotherDay, .tooManyWebhooks, .unknownWebhook, .unknownNotice, .importOvertaken:
            false
        default: true
        }
    }
}
