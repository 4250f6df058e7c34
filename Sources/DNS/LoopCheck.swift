import Logging
import NIOCore
import NIOPosix

/// Asks every upstream for a random name under our own. A question that comes back to this server tells that the
/// upstream asks us: it is dropped, because everything sent there would go round in circles.
actor LoopCheck {
    private let tokens: [String: UpstreamServer]
    private let loops: Loops
    private let logger: Logger
    private let ownName: String
    private(set) var found: [UpstreamServer] = []
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
                guard let server = tokens[name.firstLabel], let self else { return false }
                Task { await self.came(back: server) }
                return true
            }
        }
        askAgain()
    }

    /// Asks those that are not found yet, unless that was done a moment ago.
    func askAgain() {
        let now = NIODeadline.now()
        guard now >= askedAt + pause, let loop = loops.all.first else { return }
        askedAt = now
        for (token, server) in tokens where !found.contains(server) {
            let text = "\(token).\(ownName)"
            if server.isPlain, let address = server.address {
                askPlain(text, address, loop.eventLoop)
            } else {
                loop.eventLoop.execute { loop.value.askOverLink(text, server) }
            }
        }
    }

    /// Sends two questions, in case one is lost. What the upstream answers does not matter.
    private func askPlain(_ text: String, _ address: SocketAddress, _ loop: any EventLoop) {
        let name = WireName()
        guard name.read(text) else { return }
        let messages = (0..<2).map { _ in
            Attempt(0, name, type: RecordType.a, variant: 0, usesEDNS: false).message(ByteBufferAllocator())
        }
        let wildcard = address.protocol == .inet6 ? "::" : "0.0.0.0"
        DatagramBootstrap(group: loop).bind(host: wildcard, port: 0).whenSuccess { channel in
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
    private func came(back server: UpstreamServer) async {
        _ = await loops.ask { $0.drop(server) }
        guard !found.contains(server) else { return }
        found.append(server)
        logger.error("The upstream \(server) asks this server in turn and is not used")
    }
}

extension ResolverLoop {
    /// Sends a question whose answer does not matter.
    fileprivate func askOverLink(_ text: String, _ server: UpstreamServer) {
        let name = WireName()
        guard name.read(text), let index = upstreams(.world).all.firstIndex(where: { $0.server == server })
        else { return }
        let attempt = Attempt(
            index, name, type: RecordType.a, variant: 0, usesEDNS: true, carrier: .encrypted)
        _ = link(to: server, index, .world)?.ask(attempt) { _ in }
    }
}
