/// The API's own description (OpenAPI 3.1), at `/api/openapi.json`.
enum OpenAPI {
    static func document(version: String) -> JSONText {
        .object([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object([
                    ("title", .string("Sleep Inducer")), ("version", .string(version)),
                    (
                        "description",
                        .string(
                            "Bedtime for a home network. Add ?person=<id> to choose a person. With the ETag of an "
                                + "answer in If-Match, a change is refused with 412 if the household changed since."
                        )
                    ),
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

    private static var paths: [(key: String, value: JSONText)] {
        APIOperation.all.map { path in
            (path.path, .object(path.operations.map { ($0.method, described($0)) }))
        }
    }

    private static func described(_ operation: APIOperation) -> JSONText {
        var members: [(key: String, value: JSONText)] = [("summary", .string(operation.summary))]
        var parameters: [JSONText] = []
        if !operation.isHouseholds { parameters.append(parameter("person", in: "query", isRequired: false)) }
        if let name = operation.parameter {
            parameters.append(
                parameter(name, in: "path", isRequired: true, schema: operation.parameterSchema))
        }
        if let name = operation.date {
            parameters.append(parameter(name, in: "query", isRequired: false, schema: APISchemas.date))
        }
        if operation.isPaged {
            parameters.append(
                parameter("limit", in: "query", isRequired: false, schema: APISchemas.pageLength))
            parameters.append(parameter("cursor", in: "query", isRequired: false, schema: APISchemas.cursor))
        }
        parameters += operation.query.map {
            parameter($0.name, in: "query", isRequired: false, schema: $0.schema)
        }
        members.append(("parameters", .array(parameters)))
        if let body = operation.body {
            members.append(
                (
                    "requestBody",
                    .object([
                        ("required", .bool(!APISchemas.bodiesThatMayBeMissing.contains(body))),
                        ("content", content("application/json", body)),
                    ])
                ))
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
