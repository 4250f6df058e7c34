import Foundation
import GRDB
import Policy

/// The rows of what a person asked for beside minutes: an app, or something about a night.
enum WishRecord: ListedRecord {
    static let table = "wish"
    static let noun = "request"

    static func element(_ row: Row) throws -> Wish {
        guard let answer = TimeRequest.Answer(rawValue: try row.value("answer")) else {
            throw UnreadableColumn(column: "answer")
        }
        let what = Wish.What(
            kind: try row.value("kind"), app: try row.valueIfAny("app"), night: try row.night("night"))
        guard let what else { throw UnreadableColumn(column: "kind") }
        return Wish(
            id: try row.uuid("id"), what: what,
            device: try row.valueIfAny("device", Int64.self).map(DeviceID.init),
            askedAt: try row.instant("asked_at"), answer: answer,
            answeredAt: try row.instantIfAny("answered_at"))
    }

    static func columns(
        _ wish: Wish
    ) throws -> KeyValuePairs<String, (any DatabaseValueConvertible)?> {
        [
            "id": wish.id.uuidString, "kind": wish.what.kind, "app": wish.what.app,
            "night": wish.what.night?.description, "device": wish.device?.rawValue,
            "asked_at": wish.askedAt.milliseconds, "answer": wish.answer.rawValue,
            "answered_at": wish.answeredAt?.milliseconds,
        ]
    }
}

extension Wish.What {
    /// Nil for a kind that is none, or one without what it is about.
    init?(kind: String, app: String?, night: CivilDate?) {
        switch (kind, app, night) {
        case ("app", let app?, _): self = .app(app)
        case ("later", _, let night?): self = .later(night)
        case ("skip", _, let night?): self = .skip(night)
        default: return nil
        }
    }

    var kind: String {
        switch self {
        case .app: "app"
        case .later: "later"
        case .skip: "skip"
        }
    }

    var app: String? {
        guard case .app(let app) = self else { return nil }
        return app
    }
}

extension Wish {
    /// With its instants as a row keeps them, and from no device that does not exist.
    func asStored(devices: Set<DeviceID>) -> Wish {
        var stored = self
        stored.askedAt = askedAt.asStored
        stored.answeredAt = answeredAt?.asStored
        if let device, !devices.contains(device) { stored.device = nil }
        return stored
    }
}

struct WishDocument: Codable {
    var id: UUID
    var kind: String
    var app: String?
    var night: CivilDate?
    var device: Int64?
    var askedAt: Date
    var answer: TimeRequest.Answer
    var answeredAt: Date?

    init(_ wish: Wish) {
        id = wish.id
        kind = wish.what.kind
        app = wish.what.app
        night = wish.what.night
        device = wish.device?.rawValue
        askedAt = wish.askedAt
        answer = wish.answer
        answeredAt = wish.answeredAt
    }

    var wish: Wish? {
        Wish.What(kind: kind, app: app, night: night).map {
            Wish(
                id: id, what: $0, device: device.map(DeviceID.init), askedAt: askedAt, answer: answer,
                answeredAt: answeredAt)
        }
    }
}
