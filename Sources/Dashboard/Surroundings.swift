package import Assets
package import Foundation
package import Moving
import NIOCore
package import Policy
package import Store

/// What the executable provides to the features.
package struct Surroundings: Sendable {
    package var assets: AssetLibrary
    package var condition: any ServerCondition
    package var network: NetworkFacts
    package var trust: TrustFacts
    package var suggestions: SuggestedTasksFile
    /// Sends uploads to other servers.
    package var courier: Courier
    package var justBlocked: NamesJustBlocked
    /// Reads a file of another program.
    package var readForeign: @Sendable (Data) async -> Result<ForeignHousehold, ForeignFault>
    /// Seconds of a clock that never goes back.
    package var uptime: @Sendable () -> Double
    /// Returns when DNS answers by this revision of the household, or after a short time limit.
    package var applied: @Sendable (_ revision: Int) async -> Void
    /// Looks at the machine for the notices, for a second at most. Upstreams and other servers are as last asked.
    package var look: @Sendable () async -> Void
    package var machineActs: MachineActs
    /// Erases everything and begins anew as soon as the answer is sent.
    package var erase: @Sendable () throws -> Void
    /// Restores a backup and begins anew as soon as the answer is sent.
    package var restore: @Sendable (KeptBackup) -> Void

    package init(
        assets: AssetLibrary, condition: any ServerCondition, network: NetworkFacts = NetworkFacts(),
        trust: TrustFacts = TrustFacts(),
        suggestions: SuggestedTasksFile = SuggestedTasksFile(directory: nil, shipped: .lastResort),
        courier: Courier = .none, justBlocked: @escaping NamesJustBlocked = { _, _ in [] },
        readForeign: @escaping @Sendable (Data) async -> Result<ForeignHousehold, ForeignFault> =
            ForeignFile.result,
        uptime: @escaping @Sendable () -> Double = { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 },
        applied: @escaping @Sendable (_ revision: Int) async -> Void = { _ in },
        look: @escaping @Sendable () async -> Void = {}, machineActs: MachineActs = .none,
        erase: @escaping @Sendable () throws -> Void = {},
        restore: @escaping @Sendable (KeptBackup) -> Void = { _ in }
    ) {
        self.assets = assets
        self.condition = condition
        self.network = network
        self.trust = trust
        self.suggestions = suggestions
        self.courier = courier
        self.justBlocked = justBlocked
        self.readForeign = readForeign
        self.uptime = uptime
        self.applied = applied
        self.look = look
        self.machineActs = machineActs
        self.erase = erase
        self.restore = restore
    }
}

/// The names that were blocked on a device under a person's rules in the last ten minutes, newest first.
package typealias NamesJustBlocked = @Sendable (DeviceID, PersonID) -> [JustBlocked.Name]

/// How the server is doing, for `/healthz`, `/metrics`, the gate and `/relay`.
package protocol ServerCondition: Sendable {
    /// Whether the filter is compiled and every bind was tried.
    var isReady: Bool { get }
    /// What failed at the start, for example `DNS on port 53: permission denied`.
    var refused: [String] { get }
    /// This machine's name among the household's machines; nil: there is only this one.
    var node: String? { get }
    /// The household's machines; nil: there is only this one.
    var machines: HouseMachines? { get }
    /// Why no app can be relayed, in a sentence; nil if it can.
    var relayFault: String? { get }
    /// More lines for `/metrics`, in Prometheus' text format.
    var metrics: String { get }
}

extension ServerCondition {
    package var node: String? { nil }
    package var machines: HouseMachines? { nil }
}
