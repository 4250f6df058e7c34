/// How hard it is to leave a session early. JSON and forms carry the raw values.
package enum StrictnessMode: String, Codable, Sendable, CaseIterable {
    case strict, flexible

    package var displayName: String {
        switch self {
        case .strict: "Strict"
        case .flexible: "Flexible"
        }
    }

    package var description: String {
        switch self {
        case .strict: "Cannot cancel until time is up"
        case .flexible: "Cancel with a 30-second delay"
        }
    }
}
