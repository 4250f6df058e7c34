import LocalNetwork
import Logging

/// Makes the kernel forget connections that a gateway's rules refuse: of those that a flow table took over, no packet
/// meets a rule any more, and a question that went past before the rules were there would go on doing so.
///
/// It comes after the rules, in its own time: they never wait for it.
actor ConnectionCleaner {
    private struct Order {
        var rules: GatewayRules
        var hasDetours: Bool
        /// Whether it is for what the rules were left to end at the first time.
        var isSecond = false
    }

    /// From one round to the next at least; also what a reset may need to both ends and back.
    private static let pause = Duration.seconds(1)
    /// A round that takes long is followed by so many times as long without one.
    private static let share = 10

    private let clear: @Sendable (GatewayRules, _ hasDetours: Bool) async throws -> ConnectionTable.Cleared
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger
    private let orders = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private var order: Order?
    /// Why the last round was none, in a sentence.
    private(set) var failure: String?

    init(
        clear: @escaping @Sendable (GatewayRules, _ hasDetours: Bool) async throws -> ConnectionTable.Cleared,
        now: @escaping @Sendable () -> ContinuousClock.Instant, logger: Logger
    ) {
        self.clear = clear
        self.now = now
        self.logger = logger
    }

    /// Rules came into force that refuse more; of several orders that wait, the last counts.
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

    /// One round, if somebody ordered one.
    /// - Returns: how long it rests now.
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
