package import Foundation
package import Policy

/// What a shield page's stream tells about its name: the data of the `state` event.
package struct ShieldState: Hashable, Sendable {
    package var name: String
    package var app: String?
    package var layer: Layer?
    package var since: Date?
    package var until: Date?
    /// When sleep goes on after a while awake.
    package var awakeUntil: Date?
    /// The answer to the latest request for more time.
    package var request: TimeRequest.Answer?
    /// Whether "Unlock for 1 min" is offered; nil without a limit.
    package var offersUnlock: Bool?

    package init(name: String, verdict: NameVerdict) {
        self.name = name
        app = verdict.app?.name
        layer = verdict.block?.layer
        since = verdict.block?.since
        until = verdict.block?.until
        awakeUntil = verdict.awakeUntil
        request = verdict.limit?.request?.answer ?? verdict.asked?.answer
        offersUnlock = verdict.limit.map { $0.unlock.isOffered }
    }

    package var isBlocked: Bool { layer != nil }

    /// Keys as in the contract's `state`: instants in ISO 8601 UTC, whole seconds rounded up, null where unknown.
    package func json(now: Date) -> [UInt8] {
        let wire = Wire(
            blocked: isBlocked, name: name, app: app, layer: layer?.rawValue, since: since?.instantText,
            until: until?.instantText, awakeUntil: awakeUntil?.instantText, now: now.instantText,
            total: since.flatMap { since in until.map { wholeSeconds(from: since, to: $0) } },
            remaining: until.map { wholeSeconds(from: now, to: $0) }, request: request?.rawValue,
            unlock: offersUnlock)
        return Array(encode(wire))
    }

    /// The data of the `tick` event.
    package static func tick(now: Date, remaining: Int) -> [UInt8] {
        Array(encode(Tick(now: now.instantText, remaining: remaining)))
    }
}

private struct Tick: Encodable {
    var now: String
    var remaining: Int
}

private struct Wire: Encodable {
    var blocked: Bool
    var name: String
    var app: String?
    var layer: String?
    var since: String?
    var until: String?
    var awakeUntil: String?
    var now: String
    var total: Int?
    var remaining: Int?
    var request: String?
    var unlock: Bool?

    enum CodingKeys: CodingKey {
        case blocked, name, app, layer, since, until, awakeUntil, now, total, remaining, request, unlock
    }

    /// Written by hand, because the synthesized method leaves nils out.
    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(blocked, forKey: .blocked)
        try object.encode(name, forKey: .name)
        try object.encode(app, forKey: .app)
        try object.encode(layer, forKey: .layer)
        try object.encode(since, forKey: .since)
        try object.encode(until, forKey: .until)
        try object.encode(awakeUntil, forKey: .awakeUntil)
        try object.encode(now, forKey: .now)
        try object.encode(total, forKey: .total)
        try object.encode(remaining, forKey: .remaining)
        try object.encode(request, forKey: .request)
        try object.encode(unlock, forKey: .unlock)
    }
}

private func encode(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
        return try encoder.encode(value)
    } catch {
        preconditionFailure("Strings, integers and booleans always encode: \(error)")
    }
}
