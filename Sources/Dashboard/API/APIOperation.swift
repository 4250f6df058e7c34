/// One method of a path: its purpose, its input and its answer.
struct APIOperation {
    var method: String
    var summary: String
    var body: String? = nil
    var status = 200
    var answer: String? = nil
    var parameter: String? = nil
    var parameterSchema = APISchemas.integer
    /// A date that the query may have.
    var date: String? = nil
    /// Whether the query may have `limit` and `cursor`.
    var isPaged = false
    /// Whether it concerns the whole household, so that the query names no person.
    var isHouseholds = false
    /// What else the query may have.
    var query: [(name: String, schema: JSONText)] = []

    /// The contents page of the API.
    static let all = base + oneTaps + webhooks + log

    private static let base: [(path: String, operations: [APIOperation])] = [
        ("/api/v1/state", [APIOperation(method: "get", summary: "The rules in force now", answer: "State")]),
        (
            "/api/v1/session",
            [APIOperation(method: "post", summary: "Start", body: "NewSession", status: 201, answer: "State")]
        ),
        (
            "/api/v1/session/cancel",
            [
                APIOperation(
                    method: "post", summary: "End a flexible session in 30 s", body: "Whose", answer: "State"),
                APIOperation(method: "delete", summary: "Keep sleeping", body: "Whose", answer: "State"),
            ]
        ),
        (
            "/api/v1/session/pause",
            [
                APIOperation(
                    method: "post",
                    summary: "Wake from a flexible night for 30 minutes, in 30 s; then it goes on",
                    body: "Whose", answer: "State")
            ]
        ),
        (
            "/api/v1/reset",
            [APIOperation(method: "post", summary: "Emergency reset", body: "Reset", answer: "State")]
        ),
        (
            "/api/v1/schedule",
            [
                APIOperation(method: "get", summary: "The nightly schedule", answer: "Schedule"),
                APIOperation(method: "put", summary: "Save it", body: "WantedSchedule", answer: "Schedule"),
            ]
        ),
        (
            "/api/v1/selections/allowed",
            [
                APIOperation(method: "get", summary: "What stays reachable", answer: "Selection"),
                APIOperation(method: "put", summary: "Save it", body: "Selection", answer: "Selection"),
            ]
        ),
        (
            "/api/v1/selections/restricted",
            [
                APIOperation(method: "get", summary: "The apps that windows block", answer: "Selection"),
                APIOperation(
                    method: "put", summary: "Save it: apps only", body: "SelectionOfApps",
                    answer: "Selection"),
            ]
        ),
        (
            "/api/v1/selections/productive",
            [
                APIOperation(method: "get", summary: "What verified minutes count", answer: "Selection"),
                APIOperation(method: "put", summary: "Save it", body: "Selection", answer: "Selection"),
            ]
        ),
        (
            "/api/v1/windows",
            [
                APIOperation(method: "get", summary: "The allowed windows", answer: "Windows"),
                APIOperation(
                    method: "put", summary: "Replace them", body: "WantedWindows", answer: "Windows"),
            ]
        ),
        (
            "/api/v1/override",
            [
                APIOperation(
                    method: "post", summary: "I'm Eating: open for 45 minutes, once a day", body: "Whose",
                    status: 201, answer: "State")
            ]
        ),
        (
            "/api/v1/limits",
            [
                APIOperation(method: "get", summary: "Limits and what was used", answer: "Limits"),
                APIOperation(method: "put", summary: "Replace them", body: "WantedLimits", answer: "Limits"),
            ]
        ),
        (
            "/api/v1/probations",
            [
                APIOperation(
                    method: "post", summary: "Unlock for 1 minute", body: "NewProbation", status: 201,
                    answer: "Probation")
            ]
        ),
        (
            "/api/v1/focus",
            [
                APIOperation(method: "get", summary: "The focus timer", answer: "Focus"),
                APIOperation(
                    method: "post",
                    summary: "Start it, with its length or a new one; a paused session is saved first",
                    body: "NewFocus",
                    status: 201, answer: "Focus"),
            ]
        ),
        (
            "/api/v1/focus/pause",
            [APIOperation(method: "post", summary: "Pause", body: "Whose", answer: "Focus")]
        ),
        (
            "/api/v1/focus/resume",
            [APIOperation(method: "post", summary: "Resume", body: "Whose", answer: "Focus")]
        ),
        (
            "/api/v1/focus/stop",
            [
                APIOperation(
                    method: "post", summary: "Stop, and keep or discard the session", body: "FocusStop",
                    answer: "Focus")
            ]
        ),
        (
            "/api/v1/focus/sessions",
            [
                APIOperation(
                    method: "get", summary: "Focus sessions, newest first", answer: "FocusSessions",
                    isPaged: true)
            ]
        ),
        (
            "/api/v1/usage",
            [APIOperation(method: "get", summary: "Minutes used on a day", answer: "Usage", date: "date")]
        ),
        (
            "/api/v1/catalog",
            [APIOperation(method: "get", summary: "All apps", answer: "Catalog", isHouseholds: true)]
        ),
        (
            "/api/v1/devices",
            [
                APIOperation(method: "get", summary: "All devices", answer: "Devices", isHouseholds: true),
                APIOperation(
                    method: "patch", summary: "Name, kind, owner or mobile data of the device with that id",
                    body: "NamedDeviceChange", answer: "Device", isHouseholds: true),
            ]
        ),
        (
            "/api/v1/devices/{id}",
            [
                APIOperation(
                    method: "patch", summary: "Name, kind, owner or mobile data", body: "DeviceChange",
                    answer: "Device", parameter: "id", isHouseholds: true)
            ]
        ),
        (
            "/api/v1/people",
            [
                APIOperation(method: "get", summary: "Everybody", answer: "People", isHouseholds: true),
                APIOperation(
                    method: "post", summary: "Add", body: "NewPerson", status: 201, answer: "Person",
                    isHouseholds: true),
                APIOperation(
                    method: "patch", summary: "Change the person with that id", body: "NamedPersonChange",
                    answer: "Person", isHouseholds: true),
                APIOperation(
                    method: "delete", summary: "Remove the person with that id", body: "Named", status: 204,
                    isHouseholds: true),
            ]
        ),
        (
            "/api/v1/people/{id}",
            [
                APIOperation(
                    method: "patch", summary: "Change", body: "PersonChange", answer: "Person",
                    parameter: "id", isHouseholds: true),
                APIOperation(
                    method: "delete", summary: "Remove", status: 204, parameter: "id", isHouseholds: true),
            ]
        ),
        (
            "/api/verification/ios/upload",
            [
                APIOperation(
                    method: "post", summary: "Set a day's verified minutes",
                    body: "VerifiedUpload", answer: "VerifiedReceipt")
            ]
        ),
        (
            "/api/verification/ios/connection",
            [
                APIOperation(
                    method: "patch", summary: "What a device counts, and in which zone",
                    body: "VerifiedConnection", answer: "VerifiedConnection")
            ]
        ),
        (
            "/api/v1/export",
            [
                APIOperation(
                    method: "get", summary: "The household as JSON", answer: "Export", isHouseholds: true)
            ]
        ),
    ]
}
