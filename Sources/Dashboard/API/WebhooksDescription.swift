import Policy

extension APIOperation {
    static let webhooks: [(path: String, operations: [APIOperation])] = [
        (
            "/api/v1/webhooks",
            [
                APIOperation(
                    method: "get", summary: "The webhooks", answer: "Webhooks",
                    isHouseholds: true),
                APIOperation(
                    method: "post", summary: "Add a webhook; only this answer has its secret",
                    body: "NewWebhook", status: 201, answer: "AddedWebhook", isHouseholds: true),
            ]
        ),
        (
            "/api/v1/webhooks/{id}",
            [
                APIOperation(
                    method: "delete", summary: "Remove a webhook", status: 204, parameter: "id",
                    parameterSchema: APISchemas.uuid, isHouseholds: true)
            ]
        ),
    ]
}

extension APISchemas {
    static let webhooks: Members = [
        ("Webhooks", list(object(webhook))),
        ("NewWebhook", object(newWebhook, required: ["url", "events"])),
        ("AddedWebhook", object(webhook + [("secret", text)])),
    ]

    private static let newWebhook: Members = [
        (
            "url",
            .object([
                ("type", .string("string")), ("minLength", .int(1)),
                ("maxLength", .int(WebhookAddress.maximum)),
            ])
        ),
        (
            "events",
            .object([
                ("type", .string("array")), ("minItems", .int(1)),
                ("items", choice(WebhookEvent.Kind.allCases.map(\.rawValue))),
            ])
        ), ("person", orNull(number)), ("form", form),
    ]

    private static let form = choice(Webhook.Form.allCases.map(\.rawValue))

    private static let webhook: Members = [
        ("id", uuid), ("person", orNull("integer")), ("url", text), ("events", texts),
        ("form", form), ("since", instant), ("waiting", integer),
        ("latest", orNull(object([("at", instant), ("taken", boolean), ("outcome", text)]))),
    ]
}
