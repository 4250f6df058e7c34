import Logging
import NIOCore
import NIOPosix

/// Asks every upstream for a random name under our own. A question that comes back to this server tells that the
/// upstream asks us: it is dropped, because everything sent there would go round in circles.
actor LoopCheck {
    private let tokens: [String: SocketAddress]
    private let loops: Loops
    private let logger: Logger
    private let ownName: String
    private(set) var found: [SocketAddress] = []
    private var askedAt = NIODeadline.distantPast
    private let pause: TimeAmount

    init(_ configuration: Resolver.Configuration, _ loops: Loops, _ logger: Logger) {
        ownName = configuration.ownNames.first ?? ""
        let upstreams = configuration.upstreams + configuration.localUpstreams
        tokens = Dictionary(
            upstreams.map { ("loop-\(String(UInt64.random(in: .min ... .max), radix: 16))", $0) },
            uniquingKeysWith: { first, _ in first })
        pause = configuration.loopPause
        self.loops = loops
        self.logger = logger
    }

    func start() async {
        let tokens = tokens
        _ = await loops.ask { loop in
            loop.responder.isLoopCheck = { [weak self] name in
                guard let address = tokens[name.firstLabel], let self else { return false }
                Task { await self.came(back: address) }
                return true
            }
        }
        askAgain()
    }

    /// Asks those that are not found yet, unless that was done a moment ago.
    func askAgain() {
        let now = NIODeadline.now()
        guard now >= askedAt + pause else { return }
        askedAt = now
        for (token, address) in tokens where !found.contains(address) { ask(token, address) }
    }

    /// Sends two questions, in case one is lost. What the upstream answers does not matter.
    private func ask(_ token: String, _ address: SocketAddress) {
        guard let loop = loops.all.first else { return }
        let name = WireName()
        guard name.read("\(token).\(ownName)") else { return }
        let messages = (0..<2).map { _ in
            Attempt(0, address, name, type: RecordType.a, variant: 0, usesEDNS: false).message(
                ByteBufferAllocator())
        }
        let wildcard = address.protocol == .inet6 ? "::" : "0.0.0.0"
        DatagramBootstrap(group: loop.eventLoop).bind(host: wildcard, port: 0).whenSuccess { channel in
            for (index, message) in messages.enumerated() {
                channel.eventLoop.scheduleTask(in: .milliseconds(700 * Int64(index))) {
                    channel.writeAndFlush(
                        AddressedEnvelope(remoteAddress: address, data: message), promise: nil)
                }
            }
            channel.eventLoop.scheduleTask(in: .seconds(5)) { channel.close(promise: nil) }
        }
    }

    /// It counts as found when no event loop asks it any more.
    private func came(back address: SocketAddress) async {
        _ = await loops.ask { $0.drop(address) }
        guard !found.contains(address) else { return }
        found.append(address)
        logger.error("The upstream \(address.ipAddress ?? "") asks this server in turn and is not used")
    }
}
