/// The API's own description (OpenAPI 3.1), at `/api/openapi.json`.
enum OpenAPI {
    static func document(version: String) -> JSONText {
        .object([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object([
                    ("title", .string("Sleep Inducer")), ("version", .string(version)),
                    ("description", .string("Bedtime for a home network. Every path takes ?person=<id>.")),
                ])
            ),
            ("security", .array([.object([("token", .array([]))])])),
            ("paths", .object(paths)),
            (
                "components",
                .object([
                    (
                        "securitySchemes",
                        .object([
                            ("token", .object([("type", .string("http")), ("scheme", .string("bearer"))]))
                        ])
                    ),
                    ("schemas", .object(APISchemas.all)),
                ])
            ),
        ])
    }

    /// One method of a path: what it is for, what it takes, what it answers.
    private struct Operation {
        var method: String
        var summary: String
        var body: String? = nil
        var status = 200
        var answer: String? = nil
        var parameter: String? = nil
        /// A date that may stand in the query.
        var date: String? = nil
        /// Whether `limit` and `cursor` may stand in the query.
        var isPaged = false
    }

    private static let operations: [(path: String, operations: [Operation])] = [
        ("/api/v1/state", [Operation(method: "get", summary: "What holds now", answer: "State")]),
        (
            "/api/v1/session",
            [Operation(method: "post", summary: "Start", body: "NewSession", status: 201, answer: "State")]
        ),
        (
            "/api/v1/session/cancel",
            [
                Operation(
                    method: "post", summary: "End a flexible session in 30 s", body: "Whose", answer: "State"),
                Operation(method: "delete", summary: "Keep sleeping", body: "Whose", answer: "State"),
            ]
        ),
        (
            "/api/v1/reset",
            [Operation(method: "post", summary: "Emergency reset", body: "Reset", answer: "State")]
        ),
        (
            "/api/v1/schedule",
            [
                Operation(method: "get", summary: "The nightly schedule", answer: "Schedule"),
                Operation(method: "put", summary: "Save it", body: "Schedule", answer: "Schedule"),
            ]
        ),
        (
            "/api/v1/selections/allowed",
            [
                Operation(method: "get", summary: "What stays reachable", answer: "Selection"),
                Operation(method: "put", summary: "Save it", body: "Selection", answer: "Selection"),
            ]
        ),
        (
            "/api/v1/selections/restricted",
            [
                Operation(method: "get", summary: "The apps that windows block", answer: "Selection"),
                Operation(
                    method: "put", summary: "Save it: apps only", body: "Selection", answer: "Selection"),
            ]
        ),
        (
            "/api/v1/selections/productive",
            [
                Operation(method: "get", summary: "What verified minutes count", answer: "Selection"),
                Operation(method: "put", summary: "Save it", body: "Selection", answer: "Selection"),
            ]
        ),
        (
            "/api/v1/windows",
            [
                Operation(method: "get", summary: "The allowed windows", answer: "Windows"),
                Operation(method: "put", summary: "Replace them", body: "WantedWindows", answer: "Windows"),
            ]
        ),
        (
            "/api/v1/override",
            [
                Operation(
                    method: "post", summary: "I'm Eating: open for 45 minutes, once a day", body: "Whose",
                    status: 201, answer: "State")
            ]
        ),
        (
            "/api/v1/limits",
            [
                Operation(method: "get", summary: "Limits and what was used", answer: "Limits"),
                Operation(method: "put", summary: "Replace them", body: "WantedLimits", answer: "Limits"),
            ]
        ),
        (
            "/api/v1/probations",
            [
                Operation(
                    method: "post", summary: "Unlock for 1 minute", body: "NewProbation", status: 201,
                    answer: "Probation")
            ]
        ),
        (
            "/api/v1/focus",
            [
                Operation(method: "get", summary: "The focus timer", answer: "Focus"),
                Operation(
                    method: "post", summary: "Start it, with a length or as it is", body: "NewFocus",
                    status: 201, answer: "Focus"),
            ]
        ),
        (
            "/api/v1/focus/pause",
            [Operation(method: "post", summary: "Pause", body: "Whose", answer: "Focus")]
        ),
        (
            "/api/v1/focus/resume",
            [Operation(method: "post", summary: "Resume", body: "Whose", answer: "Focus")]
        ),
        (
            "/api/v1/focus/stop",
            [
                Operation(
                    method: "post", summary: "Stop, and keep or discard what was run", body: "FocusStop",
                    answer: "Focus")
            ]
        ),
        (
            "/api/v1/focus/sessions",
            [
                Operation(
                    method: "get", summary: "What was focused, newest first", answer: "FocusSessions",
                    isPaged: true)
            ]
        ),
        (
            "/api/v1/usage",
            [Operation(method: "get", summary: "Minutes used on a day", answer: "Usage", date: "date")]
        ),
        ("/api/v1/catalog", [Operation(method: "get", summary: "All apps", answer: "Catalog")]),
        ("/api/v1/devices", [Operation(method: "get", summary: "All devices", answer: "Devices")]),
        (
            "/api/v1/devices/{id}",
            [
                Operation(
                    method: "patch", summary: "Name, kind or owner", body: "DeviceChange", answer: "Device",
                    parameter: "id")
            ]
        ),
        (
            "/api/v1/people",
            [
                Operation(method: "get", summary: "Everybody", answer: "People"),
                Operation(method: "post", summary: "Add", body: "NewPerson", status: 201, answer: "Person"),
            ]
        ),
        (
            "/api/v1/people/{id}",
            [
                Operation(
                    method: "patch", summary: "Change", body: "PersonChange", answer: "Person",
                    parameter: "id"),
                Operation(method: "delete", summary: "Remove", status: 204, parameter: "id"),
            ]
        ),
        (
            "/api/verification/ios/upload",
            [
                Operation(
                    method: "post", summary: "A day's verified minutes, in place of those known",
                    body: "VerifiedUpload", answer: "VerifiedReceipt")
            ]
        ),
        (
            "/api/verification/ios/connection",
            [
                Operation(
                    method: "patch", summary: "What a device counts, and in which zone",
                    body: "VerifiedConnection", answer: "VerifiedConnection")
            ]
        ),
        ("/api/v1/export", [Operation(method: "get", summary: "The household as JSON", answer: "Export")]),
    ]

    private static var paths: [(key: String, value: JSONText)] {
        operations.map { path in
            (path.path, .object(path.operations.map { ($0.method, described($0)) }))
        }
    }

    private static func described(_ operation: Operation) -> JSONText {
        var members: [(key: String, value: JSONText)] = [("summary", .string(operation.summary))]
        var parameters: [JSONText] = [parameter("person", in: "query", isRequired: false)]
        if let name = operation.parameter { parameters.append(parameter(name, in: "path", isRequired: true)) }
        if let name = operation.date {
            parameters.append(parameter(name, in: "query", isRequired: false, schema: APISchemas.date))
        }
        if operation.isPaged {
            parameters.append(
                parameter("limit", in: "query", isRequired: false, schema: APISchemas.pageLength))
            parameters.append(parameter("cursor", in: "query", isRequired: false, schema: APISchemas.cursor))
        }
        members.append(("parameters", .array(parameters)))
        if let body = operation.body {
            members.append(("requestBody", .object([("content", content("application/json", body))])))
        }
        var success: [(key: String, value: JSONText)] = [("description", .string("Done"))]
        if let answer = operation.answer { success.append(("content", content("application/json", answer))) }
        let problem = JSONText.object([
            ("description", .string("What went wrong, with a code that never changes")),
            ("content", content("application/problem+json", "Problem")),
        ])
        members.append(
            ("responses", .object([(String(operation.status), .object(success)), ("default", problem)])))
        return .object(members)
    }

    private static func parameter(
        _ name: String, in place: String, isRequired: Bool, schema: JSONText = APISchemas.integer
    ) -> JSONText {
        .object([
            ("name", .string(name)), ("in", .string(place)), ("required", .bool(isRequired)),
            ("schema", schema),
        ])
    }

    private static func content(_ type: String, _ schema: String) -> JSONText {
        .object([(type, .object([("schema", APISchemas.reference(schema))]))])
    }
}
