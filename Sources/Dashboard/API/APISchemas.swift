import Policy

/// The shapes of the API's requests and answers.
enum APISchemas {
    typealias Members = [(key: String, value: JSONText)]

    static let all: Members = base + webhooks + log

    private static let base: Members = [
        ("State", object(state)),
        ("Session", object(session)),
        ("Schedule", object(schedule)),
        (
            "WantedSchedule",
            object(wantedSchedule, required: ["isEnabled", "start", "end", "strictness"])
        ),
        ("Selection", object([("apps", typedTexts), ("categories", typedTexts), ("domains", domains)])),
        (
            "SelectionOfApps",
            object([("apps", typedTexts), ("categories", none), ("domains", none)])
        ),
        (
            "NewSession",
            object(
                [
                    ("durationMinutes", .object([("enum", .array(SleepSession.durations.map { .int($0) }))])),
                    ("strictness", strictness), ("person", number),
                ], required: ["durationMinutes", "strictness"])
        ),
        ("Whose", object([("person", number)], required: [])),
        (
            "Reset",
            object(
                [("confirm", .object([("const", .bool(true))])), ("person", number)], required: ["confirm"])
        ),
        ("Device", object(device)),
        ("Devices", list(reference("Device"))),
        ("DeviceChange", object(deviceChange, required: [])),
        ("NamedDeviceChange", object(id + deviceChange, required: ["id"])),
        ("Person", object(person)),
        ("People", list(reference("Person"))),
        ("NewPerson", object([("name", name), ("role", role)], required: ["name"])),
        ("PersonChange", object(personChange, required: [])),
        ("NamedPersonChange", object(id + personChange, required: ["id"])),
        ("Named", object(id)),
        ("Nothing", object([], required: [])),
        ("OneTap", object([("press", text), ("undoUntil", instant), ("state", reference("State"))])),
        ("OneTapUndo", object([("press", typed)])),
        (
            "EverybodyTap",
            object([("press", text), ("undoUntil", instant), ("people", list(integer))])
        ),
        ("EverybodyUndone", object([("people", list(integer))])),
        ("Windows", object([("windows", orNull(list(object(window)))), ("waiting", list(object(waiting)))])),
        (
            "WantedWindows",
            object(
                [
                    (
                        "windows",
                        list(object(wantedWindow, required: ["start", "end"]), 0...TimeWindow.maximumCount)
                    ), ("confirm", boolean), ("waiting", anything),
                ],
                required: ["windows"])
        ),
        ("Limits", object(limits)),
        ("Usage", object(usage)),
        ("WantedLimits", object(wantedLimits, required: ["limits"])),
        ("NewProbation", oneTarget(with: [("person", number)], required: [])),
        (
            "Probation",
            object([("id", text), ("kind", targetKind), ("target", text), ("expiresAt", instant)])
        ),
        ("Focus", object(focus)),
        ("NewFocus", object([("minutes", focusMinutes), ("person", number)], required: [])),
        ("FocusStop", object([("save", boolean), ("person", number)], required: [])),
        (
            "FocusSessions",
            object([("sessions", list(object(focusSession))), ("next", orNull("string"))])
        ),
        ("VerifiedSelection", object(verifiedSelection, isOpen: true)),
        ("VerifiedUpload", object(verifiedUpload, isOpen: true)),
        ("VerifiedReceipt", object(verifiedReceipt)),
        ("VerifiedConnection", object(verifiedConnection, isOpen: true)),
        ("Catalog", open), ("Export", open),
        (
            "Problem",
            object(
                [("type", text), ("status", integer), ("code", text), ("title", text), ("errors", open)],
                required: ["type", "status", "code", "title"])
        ),
    ]

    /// The body may be missing, because each of its members may be.
    static let bodiesThatMayBeMissing: Set = [
        "Whose", "Nothing", "DeviceChange", "PersonChange", "NewFocus", "FocusStop",
    ]

    private static let state: Members = [
        ("revision", integer), ("now", instant), ("zone", text), ("person", integer),
        ("devices", object([("enrolled", integer), ("recent", integer)])),
        (
            "session",
            .object([("oneOf", .array([reference("Session"), .object([("type", .string("null"))])]))])
        ),
        ("bedtimeAt", orNull(instant)), ("overrideEndsAt", orNull(instant)),
        ("schedule", reference("Schedule")), ("antiRot", open), ("limits", list(object(limitState))),
        ("focus", reference("Focus")), ("requests", list(object(openRequest))),
    ]

    /// A question that waits for an answer; anybody's.
    private static let openRequest: Members = [
        ("id", uuid), ("kind", choice(["minutes", "app", "later", "skip"])), ("person", integer),
        ("name", text), ("text", text), ("reason", orNull("string")), ("askedAt", instant),
    ]

    private static let focus: Members = [
        ("state", choice(["idle", "running", "paused"])), ("totalSeconds", integer),
        ("remainingSeconds", integer), ("endsAt", orNull(instant)), ("session", orNull("string")),
        ("shields", boolean), ("finished", orNull(object(finished))),
    ]

    /// A session that ended in the last minute.
    private static let finished: Members = [
        ("id", text), ("presetLabel", orNull("string")), ("end", instant), ("completed", boolean),
    ]

    private static let focusSession: Members = [
        ("id", text), ("start", instant), ("end", instant), ("durationSeconds", integer),
        ("presetLabel", orNull("string")), ("completed", boolean),
    ]

    private static let session: Members = [
        ("id", text), ("mode", choice(["manual", "recurring"])), ("strictness", strictness),
        ("startedAt", instant), ("endsAt", instant), ("asleepUntil", instant), ("totalSeconds", integer),
        ("durationFormatted", text), ("cancelsAt", orNull("string")),
        ("resumesAt", orNull("string")),
    ]

    private static let schedule: Members = [
        ("isEnabled", .object([("type", .string("boolean"))])), ("start", time), ("end", time),
        ("strictness", strictness), ("days", days),
        ("exceptions", list(object([("days", days), ("start", time), ("end", time)]))),
        ("nextStart", orNull("string")),
    ]

    private static let wantedSchedule: Members = [
        ("isEnabled", boolean), ("start", time), ("end", time), ("strictness", strictness),
        ("days", someDays),
        (
            "exceptions",
            list(
                object([("days", someDays), ("start", time), ("end", time)]),
                0...RecurringSchedule.maximumExceptions)
        ),
        ("nextStart", anything),
    ]

    private static let typedTexts = list(typed, JSONBody.listLength)
    private static let domains = list(typed, 0...Household.maximumDomains)
    private static let none = list(typed, 0...0)

    private static let device: Members = [
        ("id", integer), ("name", text), ("networkName", orNull("string")), ("kind", kind),
        ("noMobileData", boolean), ("person", orNull("integer")), ("addresses", texts),
        ("hardwareAddress", orNull("string")), ("firstSeen", instant), ("lastSeen", orNull("string")),
        ("helpUntil", orNull("string")),
    ]

    private static let person: Members = [
        ("id", integer), ("name", text), ("role", role), ("defaultStrictness", strictness),
    ]

    private static let id: Members = [("id", number)]
    private static let deviceChange: Members = [
        ("name", name), ("kind", kind), ("noMobileData", boolean), ("person", orNull(number)),
        ("confirmRouter", boolean),
    ]
    private static let personChange: Members = [
        ("name", name), ("role", role), ("defaultStrictness", strictness),
    ]

    private static let window: Members = [
        ("id", text), ("label", text), ("start", time), ("end", time), ("days", days),
    ]

    private static let wantedWindow: Members = [
        ("id", uuid),
        (
            "label",
            .object([("type", .string("string")), ("maxLength", .int(TimeWindow.maximumLabel))])
        ),
        ("start", time), ("end", time), ("days", someDays),
    ]

    private static let waiting: Members = [
        ("id", text), ("change", text), ("kind", orNull("string")), ("target", orNull("string")),
        ("due", instant),
    ]

    private static let limitState: Members = [
        ("id", text), ("kind", targetKind), ("target", text), ("name", text), ("minutes", integer),
        ("usedMinutes", orNull("integer")), ("reached", boolean), ("probationEndsAt", orNull("string")),
    ]

    private static let limit: Members = [
        ("id", text), ("kind", targetKind), ("target", text), ("name", text), ("minutes", minutes),
        ("minutesByDay", minutesByDay), ("weeklyMinutes", orNull("integer")), ("minutesToday", integer),
        ("usedMinutes", orNull("integer")), ("weeklyMinutesNow", orNull("integer")),
        ("usedThisWeek", orNull("integer")),
        ("reached", boolean), ("resetsAt", instant), ("probationEndsAt", orNull("string")),
    ]

    private static let limits: Members = [
        ("limits", list(object(limit))), ("resetHour", integer), ("unlocksPerDay", orNull("integer")),
        ("unlocksUsed", orNull("integer")), ("looseningDelay", looseningDelay),
        ("waiting", list(object(waiting))),
    ]

    /// The members that only GET tells are not read.
    private static let wantedLimits: Members = [
        ("limits", list(wantedLimit, 0...JSONBody.maximumObjects)), ("resetHour", whole(Limits.resetHours)),
        ("unlocksPerDay", orNull(whole(Limits.unlockCounts))), ("looseningDelay", looseningDelay),
        ("waiting", anything), ("unlocksUsed", anything),
    ]

    private static let wantedLimit = oneTarget(
        with: [
            ("minutes", minutes), ("minutesByDay", minutesByDay),
            ("weeklyMinutes", orNull(whole(UsageLimit.weeklyRange))),
        ] + LimitsJSON.readOnly.map { ($0, anything) }, required: ["minutes"])

    /// An app or a category: as `app` or `category`, or with the members of GET's answer.
    private static func oneTarget(with others: Members, required: [String]) -> JSONText {
        let ways: [Members] = [
            [("app", typed)], [("category", typed)], [("kind", targetKind), ("target", typed)],
        ]
        return oneOf(ways.map { object($0 + others, required: $0.map(\.key) + required) })
    }

    /// A day of a person: `hours` are the minutes of each of its hours, 0 to 23.
    private static let usage: Members = [
        ("person", integer), ("date", date), ("minutes", integer), ("attempts", integer),
        ("hours", list(integer)),
        (
            "apps",
            list(
                object([
                    ("app", text), ("name", text), ("minutes", integer), ("attempts", integer),
                    ("source", choice(["dns", "upload", "relay", "gateway"])),
                ]))
        ),
    ]
}
