import Policy

/// The shapes of what the API takes and answers.
enum APISchemas {
    typealias Members = [(key: String, value: JSONText)]

    static let all: Members = base + webhooks + log

    private static let base: Members = [
        ("State", object(state)),
        ("Session", object(session)),
        ("Schedule", object(schedule, required: ["isEnabled", "start", "end", "strictness"])),
        ("Selection", object([("apps", texts), ("categories", texts), ("domains", texts)], required: [])),
        (
            "NewSession",
            object(
                [
                    ("durationMinutes", .object([("enum", .array(SleepSession.durations.map { .int($0) }))])),
                    ("strictness", strictness), ("person", integer),
                ], required: ["durationMinutes", "strictness"])
        ),
        ("Whose", object([("person", integer)], required: [])),
        (
            "Reset",
            object(
                [("confirm", .object([("const", .bool(true))])), ("person", integer)], required: ["confirm"])
        ),
        ("Device", object(device)),
        ("Devices", list(reference("Device"))),
        ("DeviceChange", object(deviceChange, required: [])),
        ("NamedDeviceChange", object(id + deviceChange, required: ["id"])),
        ("Person", object(person)),
        ("People", list(reference("Person"))),
        ("NewPerson", object([("name", text), ("role", role)], required: ["name"])),
        ("PersonChange", object(personChange, required: [])),
        ("NamedPersonChange", object(id + personChange, required: ["id"])),
        ("Named", object(id)),
        ("Nothing", object([], required: [])),
        ("OneTap", object([("press", text), ("undoUntil", instant), ("state", reference("State"))])),
        ("OneTapUndo", object([("press", text)])),
        ("Windows", object([("windows", orNull(list(object(window)))), ("waiting", list(object(waiting)))])),
        (
            "WantedWindows",
            object(
                [("windows", list(object(window, required: ["start", "end"]))), ("confirm", boolean)],
                required: ["windows"])
        ),
        ("Limits", object(limits)),
        ("Usage", object(usage)),
        ("WantedLimits", object(wantedLimits, required: ["limits"])),
        ("NewProbation", object([("app", text), ("category", text), ("person", integer)], required: [])),
        (
            "Probation",
            object([("id", text), ("kind", targetKind), ("target", text), ("expiresAt", instant)])
        ),
        ("Focus", object(focus)),
        ("NewFocus", object([("minutes", focusMinutes), ("person", integer)], required: [])),
        ("FocusStop", object([("save", boolean), ("person", integer)], required: [])),
        (
            "FocusSessions",
            object([("sessions", list(object(focusSession))), ("next", orNull("string"))])
        ),
        ("VerifiedSelection", object(verifiedSelection)), ("VerifiedUpload", object(verifiedUpload)),
        ("VerifiedReceipt", object(verifiedReceipt)), ("VerifiedConnection", object(verifiedConnection)),
        ("Catalog", open), ("Export", open),
        (
            "Problem",
            object(
                [("type", text), ("status", integer), ("code", text), ("title", text), ("errors", open)],
                required: ["type", "status", "code", "title"])
        ),
    ]

    /// All of their members may be missing, so the body may be too.
    static let bodiesThatMayBeMissing: Set = [
        "Whose", "Nothing", "Selection", "DeviceChange", "PersonChange", "NewFocus", "FocusStop",
    ]

    private static let state: Members = [
        ("revision", integer), ("now", instant), ("person", integer),
        ("devices", object([("enrolled", integer), ("recent", integer)])),
        (
            "session",
            .object([("oneOf", .array([reference("Session"), .object([("type", .string("null"))])]))])
        ),
        ("bedtimeAt", orNull(instant)), ("schedule", reference("Schedule")), ("antiRot", open),
        ("limits", list(object(limitState))),
        ("focus", reference("Focus")),
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
        ("startedAt", instant), ("endsAt", instant), ("totalSeconds", integer), ("durationFormatted", text),
        ("cancelsAt", orNull("string")),
    ]

    private static let schedule: Members = [
        ("isEnabled", .object([("type", .string("boolean"))])), ("start", time), ("end", time),
        ("strictness", strictness), ("days", days),
        ("exceptions", list(object([("days", days), ("start", time), ("end", time)]))),
        ("nextStart", orNull("string")),
    ]

    private static let device: Members = [
        ("id", integer), ("name", text), ("networkName", orNull("string")), ("kind", kind),
        ("noMobileData", boolean), ("person", orNull("integer")), ("addresses", texts),
        ("hardwareAddress", orNull("string")), ("firstSeen", instant), ("lastSeen", orNull("string")),
        ("helpUntil", orNull("string")),
    ]

    private static let person: Members = [
        ("id", integer), ("name", text), ("role", role), ("defaultStrictness", strictness),
    ]

    private static let id: Members = [("id", integer)]
    private static let deviceChange: Members = [
        ("name", text), ("kind", kind), ("noMobileData", boolean), ("person", orNull("integer")),
        ("confirmRouter", boolean),
    ]
    private static let personChange: Members = [
        ("name", text), ("role", role), ("defaultStrictness", strictness),
    ]

    private static let window: Members = [
        ("id", text), ("label", text), ("start", time), ("end", time), ("days", days),
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

    /// A limit names its target by `app` or `category`, or as GET does.
    private static let wantedLimits: Members = [
        (
            "limits",
            list(
                object(
                    [
                        ("app", text), ("category", text), ("kind", targetKind), ("target", text),
                        ("minutes", minutes), ("minutesByDay", minutesByDay),
                        ("weeklyMinutes", orNull("integer")),
                    ], required: ["minutes"]))
        ), ("resetHour", integer), ("unlocksPerDay", orNull("integer")), ("looseningDelay", looseningDelay),
    ]

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
