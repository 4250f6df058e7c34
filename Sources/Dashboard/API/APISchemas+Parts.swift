import Policy

/// The parts of the shapes.
extension APISchemas {
    static func reference(_ name: String) -> JSONText {
        .object([("$ref", .string("#/components/schemas/\(name)"))])
    }

    static let focusMinutes = whole(Preset.range)
    static let pageLength = whole(1...FocusAPI.mostSessions)
    /// The number of a person or a device.
    static let number = whole(1...999_999_999)
    /// A text that nothing limits further, and a value that is allowed and not read.
    static let typed = JSONText.object([
        ("type", .string("string")), ("maxLength", .int(JSONBody.textLength.upperBound)),
    ])
    static let anything = JSONText.object([])
    /// Has at least one visible character.
    static let name = JSONText.object([
        ("type", .string("string")), ("minLength", .int(1)), ("maxLength", .int(CleanName.maximum)),
        ("pattern", .string(visible)),
    ])
    private static let visible =
        "[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]"

    /// A text without line breaks and other controls.
    static func line(_ length: ClosedRange<Int>) -> JSONText {
        .object([
            ("type", .string("string")),
            (
                "pattern",
                .string(
                    "^[^\\u0000-\\u001f\\u007f-\\u009f]{\(length.lowerBound),\(length.upperBound)}$")
            ),
        ])
    }
    static let cursor = JSONText.object([
        ("type", .string("string")), ("pattern", .string("^-?[0-9]{1,15}\\.\(uuidPattern)$")),
    ])
    private static let uuidPattern =
        "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
    static let uuid = JSONText.object([
        ("type", .string("string")), ("pattern", .string("^\(uuidPattern)$")),
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
    static let minutes = whole(UsageLimit.range)
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
    static let someDays = list(
        choice(Weekday.allCases.map(\.rawValue)), 1...JSONBody.listLength.upperBound)
    static let kind = choice(Device.Kind.allCases.map(\.rawValue))
    static let role = choice(["adult", "child"])

    static func choice(_ values: [String]) -> JSONText { .object([("enum", .strings(values))]) }

    static func list(_ items: JSONText) -> JSONText {
        .object([("type", .string("array")), ("items", items)])
    }

    static func list(_ items: JSONText, _ length: ClosedRange<Int>) -> JSONText {
        .object([
            ("type", .string("array")), ("items", items), ("minItems", .int(length.lowerBound)),
            ("maxItems", .int(length.upperBound)),
        ])
    }

    static func oneOf(_ schemas: [JSONText]) -> JSONText { .object([("oneOf", .array(schemas))]) }

    static func orNull(_ schema: JSONText) -> JSONText {
        .object([("oneOf", .array([schema, .object([("type", .string("null"))])]))])
    }

    static func orNull(_ type: String) -> JSONText { .object([("type", .strings([type, "null"]))]) }

    /// Requires all members unless `required` says otherwise; allows others only if it is open.
    static func object(_ members: Members, required: [String]? = nil, isOpen: Bool = false) -> JSONText {
        .object([
            ("type", .string("object")), ("properties", .object(members)),
            ("required", .strings(required ?? members.map(\.key))), ("additionalProperties", .bool(isOpen)),
        ])
    }
}
