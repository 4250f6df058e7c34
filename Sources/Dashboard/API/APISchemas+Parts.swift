import Policy

/// What the shapes are made of.
extension APISchemas {
    static func reference(_ name: String) -> JSONText {
        .object([("$ref", .string("#/components/schemas/\(name)"))])
    }

    static let focusMinutes = JSONText.object([
        ("type", .string("integer")), ("minimum", .int(Preset.range.lowerBound)),
        ("maximum", .int(Preset.range.upperBound)),
    ])
    static let pageLength = JSONText.object([
        ("type", .string("integer")), ("minimum", .int(1)), ("maximum", .int(HomeSite.mostSessions)),
    ])
    static let cursor = JSONText.object([
        ("type", .string("string")), ("pattern", .string("^-?[0-9]{1,16}\\.[0-9A-Fa-f-]{36}$")),
    ])

    static func whole(_ range: ClosedRange<Int>) -> JSONText {
        .object([
            ("type", .string("integer")), ("minimum", .int(range.lowerBound)),
            ("maximum", .int(range.upperBound)),
        ])
    }

    static let date = JSONText.object([("type", .string("string")), ("format", .string("date"))])
    static let boolean = JSONText.object([("type", .string("boolean"))])
    static let targetKind = choice(["app", "category"])
    static let minutes = JSONText.object([
        ("type", .string("integer")), ("minimum", .int(UsageLimit.range.lowerBound)),
        ("maximum", .int(UsageLimit.range.upperBound)),
    ])
    static let minutesByDay = object(
        Weekday.allCases.map { ($0.rawValue, minutes) }, required: [])
    static let looseningDelay = JSONText.object([
        ("enum", .array(PendingChange.delays.map { .int($0) }))
    ])
    static let text = JSONText.object([("type", .string("string"))])
    static let integer = JSONText.object([("type", .string("integer"))])
    static let open = JSONText.object([("type", .string("object"))])
    static let texts = list(text)
    static let instant = JSONText.object([
        ("type", .string("string")), ("format", .string("date-time")),
    ])
    static let time = JSONText.object([
        ("type", .string("string")), ("pattern", .string("^([01][0-9]|2[0-3]):[0-5][0-9]$")),
    ])
    static let strictness = choice(StrictnessMode.allCases.map(\.rawValue))
    static let days = list(choice(Weekday.allCases.map(\.rawValue)))
    static let kind = choice(Device.Kind.allCases.map(\.rawValue))
    static let role = choice(["adult", "child"])

    static func choice(_ values: [String]) -> JSONText { .object([("enum", .strings(values))]) }

    static func list(_ items: JSONText) -> JSONText {
        .object([("type", .string("array")), ("items", items)])
    }

    static func orNull(_ schema: JSONText) -> JSONText {
        .object([("oneOf", .array([schema, .object([("type", .string("null"))])]))])
    }

    static func orNull(_ type: String) -> JSONText { .object([("type", .strings([type, "null"]))]) }

    /// All members are required unless told otherwise; there are no others.
    static func object(_ members: Members, required: [String]? = nil) -> JSONText {
        .object([
            ("type", .string("object")), ("properties", .object(members)),
            ("required", .strings(required ?? members.map(\.key))), ("additionalProperties", .bool(false)),
        ])
    }
}
