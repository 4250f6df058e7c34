import Hummingbird
import Policy

/// The household's machines, for programs.
struct MachinesAPI: Sendable {
    let condition: any ServerCondition

    /// An empty list where the household is on one machine.
    func machines(_ request: Request, _ visit: Visit) throws -> Response {
        let machines = condition.machines
        return .json(
            .object([
                ("cutOff", Self.fault(machines?.cutOff)), ("refusal", Self.fault(machines?.refusal)),
                ("machines", .array((machines?.all ?? []).map(Self.machine))),
            ]))
    }

    private static func fault(_ fault: HouseMachines.Fault?) -> JSONValue {
        fault.map { .object([("reason", .string($0.reason)), ("advice", .string($0.advice))]) } ?? .null
    }

    private static func machine(_ machine: HouseMachine) -> JSONValue {
        .object([
            ("node", .int(machine.node)), ("name", .string(machine.name)),
            ("version", .string(machine.version)),
            ("role", machine.role.map { .string($0.rawValue) } ?? .null),
            ("isThisOne", .bool(machine.isThisOne)), ("isInTouch", .bool(machine.isHere)),
            ("since", .instant(machine.since)), ("behind", .int(Int(machine.behind))),
        ])
    }
}
