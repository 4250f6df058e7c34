import DNS
import Logging
import Policy

/// Starts DNS with the first filter and hands it every later one.
actor NameDesk {
    private let resolver: DNS.Resolver
    private let port: Int?
    private let condition: Condition
    private let logger: Logger
    private var listening: Listening
    private var isStarted = false

    init(resolver: DNS.Resolver, port: Int?, listening: Listening, condition: Condition, logger: Logger) {
        self.resolver = resolver
        self.port = port
        self.listening = listening
        self.condition = condition
        self.logger = logger
    }

    func enforce(_ filter: Filter) async {
        guard let port else { return }
        if isStarted { return resolver.apply(filter) }
        isStarted = true
        note(
            await resolver.start(
                filter: filter, endpoints: listening.endpoints(port: port), subnets: listening.subnets))
    }

    /// The machine's addresses changed.
    func move(to listening: Listening) async {
        self.listening = listening
        guard let port, isStarted else { return }
        note(await resolver.rebind(endpoints: listening.endpoints(port: port), subnets: listening.subnets))
    }

    private func note(_ refusals: [DNS.Refusal]) {
        let reasons = refusals.map { "DNS over \($0.transport.rawValue) on \($0.address): \($0.reason)" }
        condition.report(reasons, from: "DNS")
        for reason in reasons { logger.error("\(reason)") }
    }
}
