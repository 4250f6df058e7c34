extension APIOperation {
    /// One tap for a person of the household, and its undo.
    static let oneTaps: [(path: String, operations: [APIOperation])] = [
        tap("bedtime", "Bedtime now: to the end of tonight's schedule, else for 8 hours"),
        tap("later", "Tonight's bedtime 30 minutes later, up to three times"),
        tap("skip", "No bedtime tonight"),
        tap("undo", "Undo one of these, within 8 s and with the same token", "OneTapUndo", "State"),
        (
            "/api/v1/people/bedtime",
            [
                APIOperation(
                    method: "post", summary: "Everybody to bed: bedtime now for each person who is awake",
                    body: "Nothing", answer: "EverybodyTap", isHouseholds: true)
            ]
        ),
        (
            "/api/v1/people/undo",
            [
                APIOperation(
                    method: "post", summary: "Undo that, within 8 s and with the same token",
                    body: "OneTapUndo", answer: "EverybodyUndone", isHouseholds: true)
            ]
        ),
    ]

    private static func tap(
        _ name: String, _ summary: String, _ body: String = "Nothing", _ answer: String = "OneTap"
    ) -> (path: String, operations: [APIOperation]) {
        (
            "/api/v1/people/{id}/\(name)",
            [
                APIOperation(
                    method: "post", summary: summary, body: body, answer: answer, parameter: "id",
                    isHouseholds: true)
            ]
        )
    }
}
