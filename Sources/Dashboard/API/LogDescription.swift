import Policy
import Store

extension APIOperation {
    static let log: [(path: String, operations: [APIOperation])] = [
        (
            "/api/v1/log",
            [
                APIOperation(
                    method: "get", summary: "Changes with time and author, newest first", answer: "Log",
                    query: [
                        ("limit", APISchemas.whole(1...LogAPI.mostLogLines)),
                        ("before", APISchemas.whole(1...999_999_999)),
                    ])
            ]
        )
    ]
}

extension APISchemas {
    static let log: Members = [
        (
            "Log",
            object([("entries", list(object(line))), ("next", orNull("integer")), ("isWhole", boolean)])
        )
    ]

    /// `what` and `words` are the pages' words; a null `person` means the household.
    private static let line: Members = [
        ("id", integer), ("at", instant), ("person", orNull("integer")),
        ("kind", choice(ChangeRow.kinds.map(\.rawValue).sorted())),
        ("subject", orNull(choice(RuleSubject.allCases.map(\.rawValue)))), ("what", text),
        ("device", orNull("integer")),
        (
            "by",
            orNull(
                object([("kind", choice(Hand.Kind.allCases.map(\.rawValue) + ["wait"])), ("words", text)]))
        ),
    ]
}
