import Foundation

extension FocusTimer: Codable {
    private enum Key: String, CodingKey {
        case state, total, remaining, session, start, since, endsAt, seen, machine
    }

    /// Refuses values that no timer can have.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func instant(_ key: Key) throws -> Date { try values.decode(Date.self, forKey: key) }
        let name = try values.decode(String.self, forKey: .state)
        let state: State? =
            switch name {
            case "idle": .idle(remaining: try values.decode(Int.self, forKey: .remaining))
            case "running":
                .running(
                    Running(
                        session: try values.decode(UUID.self, forKey: .session), start: try instant(.start),
                        since: try instant(.since), endsAt: try instant(.endsAt), seen: try instant(.seen),
                        machine: try values.decodeIfPresent(Int.self, forKey: .machine)))
            case "paused":
                .paused(
                    Paused(
                        session: try values.decode(UUID.self, forKey: .session),
                        start: try instant(.start),
                        since: try instant(.since),
                        remaining: try values.decode(Int.self, forKey: .remaining)))
            default: nil
            }
        let total = try values.decode(Int.self, forKey: .total)
        guard let state, let timer = FocusTimer(totalSeconds: total, state: state) else {
            throw DecodingError.dataCorruptedError(
                forKey: .state, in: values, debugDescription: "No focus timer can be in this state.")
        }
        self = timer
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(stateName, forKey: .state)
        try values.encode(totalSeconds, forKey: .total)
        switch state {
        case .idle(let remaining): try values.encode(remaining, forKey: .remaining)
        case .running(let running):
            try values.encode(running.session, forKey: .session)
            try values.encode(running.start, forKey: .start)
            try values.encode(running.since, forKey: .since)
            try values.encode(running.endsAt, forKey: .endsAt)
            try values.encode(running.seen, forKey: .seen)
            try values.encodeIfPresent(running.machine, forKey: .machine)
        case .paused(let paused):
            try values.encode(paused.session, forKey: .session)
            try values.encodeIfPresent(paused.start, forKey: .start)
            try values.encode(paused.since, forKey: .since)
            try values.encode(paused.remaining, forKey: .remaining)
        }
    }
}
