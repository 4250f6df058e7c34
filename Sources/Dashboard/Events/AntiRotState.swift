import Foundation
import Policy

/// The `antiRot` of `state`: the Windows layer as of one instant.
enum AntiRotState {
    static func json(of person: Person, at now: Date, in zone: CivilZone) -> JSONValue {
        let status = person.windowsStatus(at: now, in: zone)
        let isAvailable = person.antiRot.override.isAvailable(at: now, in: zone)
        return .object([
            ("status", .string(status.isBlocked ? "BLOCKED" : "ALLOWED")), ("until", .instant(status.until)),
            (
                "override",
                .object([("available", .bool(isAvailable)), ("expiresAt", .instant(status.overrideEnd))])
            ),
        ])
    }
}
