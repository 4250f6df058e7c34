import Foundation
import GRDB
import Policy

/// The rows of what a person asked for: 15 more minutes of an app or category.
enum TimeRequestRecord: ListedRecord {
    static let table = "time_request"
    static let noun = "request for more time"

    static func element(_ row: Row) throws -> TimeRequest {
        guard let answer = TimeRequest.Answer(rawValue: try row.value("answer")) else {
            throw UnreadableColumn(column: "answer")
        }
        return TimeRequest(
            id: try row.uuid("id"), target: try row.target(),
            device: try row.valueIfAny("device", Int64.self).map(DeviceID.init),
            askedAt: try row.instant("asked_at"), answer: answer,
            answeredAt: try row.instantIfAny("answered_at"))
    }

    static func columns(
        _ request: TimeRequest
    ) throws -> KeyValuePairs<String, (any DatabaseValueConvertible)?> {
        [
            "id": request.id.uuidString, "target_kind": request.target.kind, "target": request.target.id,
            "device": request.device?.rawValue, "asked_at": request.askedAt.milliseconds,
            "answer": request.answer.rawValue, "answered_at": request.answeredAt?.milliseconds,
        ]
    }
}

extension Limits {
    /// The limits with their instants as rows keep them, and no request from a device that does not exist.
    func asStored(devices: Set<DeviceID>) -> Limits {
        var stored = self
        stored.probations = probations.map {
            Probation(id: $0.id, target: $0.target, expiresAt: $0.expiresAt.asStored)
        }
        for index in stored.reached.indices { stored.reached[index].since = reached[index].since.asStored }
        for index in stored.requests.indices {
            stored.requests[index].askedAt = requests[index].askedAt.asStored
            stored.requests[index].answeredAt = requests[index].answeredAt?.asStored
            if let device = requests[index].device, !devices.contains(device) {
                stored.requests[index].device = nil
            }
        }
        return stored
    }
}
