import LocalNetwork
import Logging

/// Makes the kernel forget connections that a gateway's rules refuse. The rules see no packet of a connection in a flow
/// table. A DNS question that bypassed this server before the rules came would go on doing so.
///
/// It runs after the rules are in force, and they never wait for it.
actor ConnectionCleaner {
    private struct Order {
        var rules: GatewayRules
        var hasDetours: Bool
        /// Whether this order repeats one after which refused connections were left for the rules to end.
        var isSecond = false
    }

    /// The least time between two rounds; a reset may need as long to both ends and back.
    private static let pause = Duration.seconds(1)
    /// After a round, it rests at least so many times as long as the round took.
    private static let share = 10

    private let clear: @Sendable (GatewayRules, _ hasDetours: Bool) async throws -> ConnectionTable.Cleared
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger
    private let orders = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private var order: Order?
    /// Why the last round failed, in a sentence; nil: it did not.
    private(set) var failure: String?

    init(
        clear: @escaping @Sendable (GatewayRules, _ hasDetours: Bool) async throws -> ConnectionTable.Cleared,
        now: @escaping @Sendable () -> ContinuousClock.Instant, logger: Logger
    ) {
        self.clear = clear
        self.now = now
        self.logger = logger
    }

    /// Orders a round for rules that refuse more. Of several waiting orders, the last counts.
    func clean(_ rules: GatewayRules, hasDetours: Bool) {
        order = Order(rules: rules, hasDetours: hasDetours)
        orders.continuation.yield()
    }

    /// Works until its task is cancelled.
    func run() async {
        for await _ in orders.stream {
            if Task.isCancelled { break }
            let rest = await round()
            try? await Task.sleep(for: rest)
        }
    }

    /// Runs one round if one is ordered.
    /// - Returns: how long to rest.
    func round() async -> Duration {
        guard let order else { return .zero }
        self.order = nil
        let begun = now()
        do {
            let cleared = try await clear(order.rules, order.hasDetours)
            failure = nil
            if cleared.left > 0, !order.isSecond, self.order == nil {
                self.order = Order(rules: order.rules, hasDetours: order.hasDetours, isSecond: true)
                orders.continuation.yield()
            }
        } catch {
            if failure != "\(error)" { logger.notice("Gateway: \(error)") }
            failure = "\(error)"
        }
        return max(Self.pause, begun.duration(to: now()) * Self.share)
    }
}
