import DNS
import Enforcement
import Logging
import NIOCore
import Policy
import Sockets

/// Starts DNS with the first filter and hands it every later one.
actor NameDesk {
    private let resolver: DNS.Resolver
    private let port: Int?
    private let dotPort: Int?
    private let condition: Condition
    private let logger: Logger
    private var listening: Listening
    private var isStarted = false

    init(
        resolver: DNS.Resolver, port: Int?, dotPort: Int?, listening: Listening, condition: Condition,
        logger: Logger
    ) {
        self.resolver = resolver
        self.port = port
        self.dotPort = dotPort
        self.listening = listening
        self.condition = condition
        self.logger = logger
    }

    func enforce(_ filter: Filter) async {
        guard let port else { return }
        if isStarted { return await resolver.apply(filter) }
        isStarted = true
        note(
            await resolver.start(
                filter: filter, endpoints: listening.endpoints(port: port, dotPort: dotPort),
                home: listening.home))
    }

    /// The machine's addresses changed, or what refused may be had now.
    func move(to listening: Listening) async {
        self.listening = listening
        guard let port, isStarted else { return }
        note(
            await resolver.rebind(
                endpoints: listening.endpoints(port: port, dotPort: dotPort), home: listening.home))
    }

    private func note(_ refusals: [DNS.Refusal]) {
        let reasons = refusals.map { refusal in
            let place = "\(refusal.address.ipAddress ?? "") port \(refusal.address.port ?? 0)"
            return "DNS over \(refusal.transport.rawValue) on \(place): \(refusal.reason)"
        }
        for reason in condition.report(reasons, from: "DNS") { logger.error("\(reason)") }
    }
}
