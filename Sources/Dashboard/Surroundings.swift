package import Assets
import NIOCore
package import Policy
package import Store

/// What the executable knows, and the features ask for.
package struct Surroundings: Sendable {
    package var assets: AssetLibrary
    package var condition: any ServerCondition
    package var network: NetworkFacts
    package var trust: TrustFacts
    package var suggestions: SuggestedTasksFile
    /// Takes uploads to other servers.
    package var courier: Courier
    package var justBlocked: NamesJustBlocked
    /// Seconds of a clock that never goes back.
    package var uptime: @Sendable () -> Double
    /// Returns when DNS answers by a revision of the store's household, or after a time that nobody notices.
    package var applied: @Sendable (_ revision: Int) async -> Void
    /// Erases everything and begins anew as soon as the answer is on its way.
    package var erase: @Sendable () throws -> Void

    package init(
        assets: AssetLibrary, condition: any ServerCondition, network: NetworkFacts = NetworkFacts(),
        trust: TrustFacts = TrustFacts(),
        suggestions: SuggestedTasksFile = SuggestedTasksFile(directory: nil, shipped: .lastResort),
        courier: Courier = .none, justBlocked: @escaping NamesJustBlocked = { _, _ in [] },
        uptime: @escaping @Sendable () -> Double = { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 },
        applied: @escaping @Sendable (_ revision: Int) async -> Void = { _ in },
        erase: @escaping @Sendable () throws -> Void = {}
    ) {
        self.assets = assets
        self.condition = condition
        self.network = network
        self.trust = trust
        self.suggestions = suggestions
        self.courier = courier
        self.justBlocked = justBlocked
        self.uptime = uptime
        self.applied = applied
        self.erase = erase
    }
}

/// What was refused to a device under a person's rules in the last ten minutes, newest first.
package typealias NamesJustBlocked = @Sendable (DeviceID, PersonID) -> [JustBlocked.Name]

/// How the server is doing, as `/healthz`, `/metrics`, the gate and `/relay` say it.
package protocol ServerCondition: Sendable {
    /// The filter is compiled and every bind was tried.
    var isReady: Bool { get }
    /// What could not be had, for example `DNS on port 53: permission denied`.
    var refused: [String] { get }
    /// Why no app can be relayed, in a sentence; nil: they can.
    var relayFault: String? { get }
    /// Further lines for `/metrics`, in Prometheus' text format.
    var metrics: String { get }
}
