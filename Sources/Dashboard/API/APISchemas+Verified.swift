import Policy

/// The shapes of verified minutes (DD-047 to DD-061).
extension APISchemas {
    static let verifiedSelection: Members = [
        ("v", .object([("const", .int(WireSelection.version))])),
        (
            "encodedPlistBase64",
            .object([("type", .string("string")), ("maxLength", .int(WireSelection.maximum))])
        ),
        ("applicationTokenCount", whole(WireSelection.counts)),
        ("categoryTokenCount", whole(WireSelection.counts)),
        ("webDomainTokenCount", whole(WireSelection.counts)),
    ]

    static let verifiedUpload: Members = [
        ("date", date), ("verifiedMinutes", whole(VerifiedMinutes.range)),
        (
            "raw",
            object([
                (
                    "source",
                    .object([("type", .string("string")), ("minLength", .int(1)), ("maxLength", .int(100))])
                ),
                ("timezone", text), ("selection", reference("VerifiedSelection")),
                ("computedAtISO8601", instant),
            ])
        ),
    ]

    static let verifiedReceipt: Members = [
        ("date", date), ("status", choice(["created", "updated", "unchanged"])), ("deltaMinutes", integer),
    ]

    static let verifiedConnection: Members = [
        ("enabled", boolean), ("timezone", text), ("selection", reference("VerifiedSelection")),
    ]
}
