extension Refusal {
    /// For programs, logs, and people to whom it names no times.
    package var message: String { message(in: .twentyFourHours) }

    /// One or two calm sentences. They may quote what a person typed: escape them on pages.
    package func message(in clock: ClockStyle) -> String {
        switch self {
        case .unknownPerson: "This person is no longer here."
        case .unknownDevice: "This device is not known here."
        case .unknownOwnApp: "You did not add this app."
        case .unknownIDs(let ids): "Not in the catalog: \(Self.list(ids))."
        case .unknownDuration: "Choose 30m, 1h, 2h, 4h, 6h or 8h."
        case .sessionRunning: "A sleep session is already running."
        case .everybodyAsleep: "Everybody is asleep already."
        case .noSession: "No sleep session is running."
        case .strictSession: "Strict mode - session cannot be cancelled"
        case .sameTimes: "Bedtime and wake-up must be different times."
        case .noWeekdays: "Choose at least one day."
        case .exceptionWithoutWeekdays: "Choose at least one day for the other times."
        case .tooManyExceptions:
            "There can be at most \(RecurringSchedule.maximumExceptions) sets of other times."
        case .nightsOverlap(let day):
            "\(day.displayName)'s night must end before \(day.next.displayName)'s bedtime."
        case .noNightPlanned: "No night is planned."
        case .nightBegun: "This night has started. You can change it only before bedtime."
        case .nightTooShort: "The night cannot start later than it ends."
        case .bedtimeOver: "This time is over. Choose a later one, or press Bedtime now."
        case .laterUsedUp:
            "You already moved this night \(TonightChange.mostSteps) times. You can still skip it before its bedtime."
        case .noNightTonight: "No bedtime is planned tonight."
        case .noNightToSleepOn: "No flexible night is on in 30 minutes, so sleep would not go on."
        case .undoTooLate: "It is too late to undo this. You have 8 seconds for it."
        case .undoNotYours: "Only the person who did this can undo it."
        case .undoOvertaken: "Something else was changed since then, so nothing was undone."
        case .datesOutOfOrder: "The last day must not be before the first."
        case .exceptionTooLong: "Choose at most \(DateException.longest) days."
        case .exceptionOver: "This day is over. Choose today or a later day."
        case .nobodyChosen: "Choose at least one person."
        case .tooManyDateExceptions:
            "There can be at most \(DateException.maximumCount) exceptions for one person."
        case .unknownDateException: "This exception is no longer here."
        case .deviceTaken(let name):
            "This device belongs to \(name). The owner can change that on the Devices page."
        case .deviceNotEnrolled: "Nothing is blocked on this device."
        case .returnNotOffered: "This was answered already, or the known device is back."
        case .deviceIsRouter:
            "This is your router. All devices behind it ask as one, so all of them would be blocked together, doorbells too. Set this server as DNS server on the devices themselves, or confirm the router on the Devices page."
        case .lastPerson: "The last person cannot be removed."
        case .helpSwitchedOff: "Help is switched off in this home's settings."
        case .tryOnExempt: "This device is marked Medical or Safety. It is never blocked, not even as a test."
        case .onlyTablets:
            "This works on tablets only: a phone would leave the Wi-Fi for mobile data, and the block with it."
        case .noteTooLong: "At most \(Household.longestFormerDNS) characters."
        case .looseningStrict(let name):
            "\(name) has a strict session running, and this would make it easier. Try again when the session is over."
        case .looseningWaits(let name, let hours):
            "\(name)'s rules get easier only after \(hours) hours, and this would act at once. Change “Delay before rules get easier” under Limits first."
        case .adultsOwnRole(let name):
            "\(name) is an adult. Only \(name)'s own device can change this, because others could then see what \(name) used."
        case .childrenStay: "A child's device stays. Ask the adult who sets the rules."
        case .onlyForChildren: "Only a child's session can end earlier. An adult wakes by their own button."
        case .noEarlierEnd: "Choose a time that is still to come and before the session's end."
        case .roleOfDevices: "These are a shared device's own times, and no person's."
        case .deviceUnconfirmed:
            "This device enrolled itself, so it can change only its own rules. Log in on it once to confirm that it is yours."
        case .deviceUnplaced:
            "This device shares its Wi‑Fi address with others. An adult with the passcode can choose its owner on the Devices page."
        case .leaveOnOwnDevice: "You can leave only on your own device."
        case .askOnOwnDevice: "You can ask only on your own device."
        case .wishOpen: "You already asked. There is no answer yet."
        case .reasonTooLong: "Use at most \(CleanName.maximumReason) characters for the reason."
        case .appAllowed: "This app is already allowed. It is open from your next session on."
        case .tooManyWishes: "You asked many times today. Ask in person, or again tomorrow."
        case .windowSameTimes: "A window cannot end when it starts."
        case .windowsOverlap(let other):
            other.label.isEmpty
                ? "This overlaps with the window \(other.times(in: clock))."
                : "This overlaps with \(Self.short(other.label)), \(other.times(in: clock))."
        case .unknownWindow: "This window is no longer here."
        case .emptyScheduleUnconfirmed: "Your apps will be blocked all day"
        case .labelTooLong: "Use at most \(TimeWindow.maximumLabel) characters for the label."
        case .tooManyWindows: "There can be at most \(TimeWindow.maximumCount) windows."
        case .overrideUsed: "Already used today"
        case .overrideRunning: "Your apps are open already."
        case .overrideOfNothing:
            "Nothing is blocked here yet, so there is nothing to open. Today's press is not used up."
        case .unknownWindowSet: "This set is no longer here."
        case .tooManyWindowSets: "There can be at most \(WindowSet.maximumCount) sets besides the first."
        case .appsOnly: "Choose apps here, not categories or domains."
        case .limitOutOfRange: "A limit is \(Self.range(UsageLimit.range)) whole minutes a day."
        case .weeklyOutOfRange: "A week's limit is \(Self.range(UsageLimit.weeklyRange)) whole minutes."
        case .unknownLimit: "This limit is no longer here."
        case .unknownTarget: "Choose one app or one category."
        case .limitNotReached: "There are minutes left. This limit does not block anything now."
        case .unlocksUsedUp: "Today's unlocks are used up."
        case .bonusOutOfRange: "Give \(Self.range(Bonus.range)) whole minutes."
        case .unknownRequest: "This request is no longer here."
        case .requestAnswered: "This request already has an answer."
        case .nobodyToAsk: "There is no other adult here who could answer."
        case .resetHourOutOfRange: "Choose a full hour from 0 to 23."
        case .unlocksOutOfRange: "Enter the number of unlocks a day, or leave this empty for no limit."
        case .unknownDelay: "Choose no delay, 8 hours or 24 hours."
        case .focusRunning: "The timer is running already."
        case .focusNotRunning: "The timer is not running."
        case .focusNotPaused: "The timer is not paused."
        case .focusLengthOutOfRange: "The timer runs \(Self.range(Preset.range)) whole minutes."
        case .timerStateUnreadable: "This is not a timer-state.json file."
        case .sessionsUnreadable: "This is not a sessions.json file."
        case .nothingProductive: "Choose your productive apps first, under Selection."
        case .nothingComputed: "Compute yesterday's minutes first."
        case .computedForAnotherDay(let computed, let yesterday):
            "These minutes are for \(computed), but yesterday is now \(yesterday). Compute them again."
        case .serverAddressUnreadable: "This is not a server's address. Enter one like https://example.org."
        case .accessTokenMissing: "Enter the access token that this server gave you."
        case .accessTokenUnreadable:
            "This is not an access token. It has no spaces and only plain letters and signs."
        case .dateUnreadable: "Enter a date as YYYY-MM-DD."
        case .dateOutOfRange: "Enter a date from 2000-01-01 up to today in that time zone."
        case .minutesOutOfRange: "A day has \(Self.range(VerifiedMinutes.range)) whole minutes."
        case .sourceUnreadable:
            "This must be a text of \(Self.range(VerifiedUpload.sourceLength)) characters, on one line."
        case .computedAtUnreadable: "This must be an instant in UTC, like 2025-12-18T10:30:00Z."
        case .selectionVersionUnknown: "Only version \(WireSelection.version) of a selection is known."
        case .selectionTooLarge: "A selection is at most \(WireSelection.maximum / 1024) KiB."
        case .selectionUnreadable: "This must be Base64, in full groups of four characters."
        case .tokenCountOutOfRange: "This must be a whole number, \(Self.range(WireSelection.counts))."
        case .webhookAddressUnreadable:
            "This is not a web address. Enter one like http://192.168.1.20:8123/api/webhook/bedtime."
        case .webhookHasPassword: "Leave the user name and the password out of the address."
        case .webhookLeadsHere:
            "This address leads back to this machine, or it is reserved. Use another one."
        case .webhookNeedsTLS: "This address is on the internet, so it needs https. At home you can use http."
        case .webhookWithoutEvents: "Choose at least one event."
        case .tooManyWebhooks: "There can be at most \(Webhook.maximumCount) webhooks."
        case .unknownWebhook: "This webhook is no longer here."
        case .webhookFormUnknown: "Choose what to send: JSON, or a plain notice for ntfy."
        case .unknownNotice: "This is already fixed."
        case .nothingToImport: "Tick at least one device."
        case .importOvertaken:
            "The household changed meanwhile, and nothing was taken. Look at the list again."
        case .nameMissing: "Enter a name."
        case .nameTooLong: "Use at most \(CleanName.maximum) characters."
        case .personNameTaken(let name), .windowSetNameTaken(let name):
            "\(Self.short(name)) already exists. Choose another name."
        case .unknownZone: "This is not a time zone. Enter one like Europe/Berlin."
        case .notOptional(let id): "\(id) is always reachable."
        case .tooManyOwnApps: "There can be at most \(Household.maximumOwnApps) apps of your own."
        case .tooManyDomains: "There can be at most \(Household.maximumDomains) domains here."
        case .domainMissing: "Enter a domain, for example example.org."
        case .domainInvalid(let text): "\(Self.short(text)) is not a domain name. Enter one like example.org."
        case .domainIsAddress(let text):
            "\(Self.short(text)) is an address. Enter a domain name, like example.org."
        case .domainSingleLabel(let text):
            "\(Self.short(text)) is too short. Enter the whole name, like example.org."
        case .domainTooBroad(let text): "\(Self.short(text)) covers too many sites. Enter a name below it."
        case .domainTaken(let text, let app):
            "\(Self.short(text)) belongs to \(app), which is already in the list."
        }
    }

    private static func range(_ range: ClosedRange<Int>) -> String {
        "\(range.lowerBound) to \(range.upperBound)"
    }

    private static func list(_ words: [String]) -> String {
        let shown = words.prefix(5).map(short).joined(separator: ", ")
        return words.count > 5 ? "\(shown) and \(words.count - 5) more" : shown
    }

    /// What a person sent can be long, and can hold characters that change the direction of text.
    private static func short(_ text: String) -> String {
        let clean = CleanName.cleaned(text)
        return clean.count > 80 ? "\(clean.prefix(80))…" : clean
    }
}
