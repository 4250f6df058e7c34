import Policy

/// The shapes of verified minutes.
extension APISchemas {
    static let verifiedSelection: Members = [
        ("v", .object([("const", .int(WireSelection.version))])),
        (
            "encodedPlistBase64",
            .object([
                ("type", .string("string")), ("maxLength", .int(WireSelection.maximum)),
                ("contentEncoding", .string("base64")),
                (
                    "pattern",
                    .string("^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$")
                ),
            ])
        ),
        ("applicationTokenCount", whole(WireSelection.counts)),
        ("categoryTokenCount", whole(WireSelection.counts)),
        ("webDomainTokenCount", whole(WireSelection.counts)),
    ]

    static let verifiedUpload: Members = [
        ("date", date), ("verifiedMinutes", whole(VerifiedMinutes.range)),
        (
            "raw",
            object(
                [
                    ("source", line(VerifiedUpload.sourceLength)),
                    ("timezone", zone), ("selection", reference("VerifiedSelection")),
                    ("computedAtISO8601", utc),
                ], isOpen: true)
        ),
    ]

    /// The pattern does not list the zones: an unknown one is refused with `unknown-zone`.
    private static let zone = JSONText.object([
        ("type", .string("string")), ("pattern", .string("^[A-Za-z0-9+_/-]{1,100}$")),
    ])

    private static let utc = JSONText.object([
        ("type", .string("string")), ("format", .string("date-time")),
        (
            "pattern",
            .string(
                "^[0-9]{4}-[01][0-9]-[0-3][0-9]T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?Z$")
        ),
    ])

    static let verifiedReceipt: Members = [
        ("date", date), ("status", choice(["created", "updated", "unchanged"])), ("deltaMinutes", integer),
    ]

    static let verifiedConnection: Members = [
        ("enabled", boolean), ("timezone", zone), ("selection", reference("VerifiedSelection")),
    ]
}
