package import Foundation
package import Policy

/// A person's limits in `state`: `minutes` holds today, granted minutes included.
package enum LimitsState {
    /// Without `showsUse`, `usedMinutes` is null, because only the adult may see it.
    package static func json(
        of person: Person, in snapshot: Snapshot, at now: Date, showsUse: Bool
    ) -> JSONValue {
        let states = person.limitStates(at: now, in: snapshot.household.zone, usage: snapshot.usage)
        return .array(
            states.map { state in
                let target = state.limit.target
                return .object([
                    ("id", .string(state.limit.id.uuidString)), ("kind", .string(target.kind)),
                    ("target", .string(target.id)), ("name", .string(target.name(in: snapshot.catalog))),
                    ("minutes", .int(state.allowance)),
                    ("usedMinutes", showsUse ? .int(state.use.day) : .null),
                    ("reached", .bool(state.isReached)),
                    ("probationEndsAt", .instant(state.probationEndsAt)),
                ])
            })
    }
}
