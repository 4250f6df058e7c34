import Logging
import NIOCore
import NIOPosix

/// Asks every upstream for a random name under our own. A question that comes back to this server tells that the
/// upstream asks us: it is dropped, because everything sent there would go round in circles. It is used again when no
/// question came back after it was asked anew.
actor LoopCheck {
    private let tokens: [String: UpstreamServer]
    private let loops: Loops
    private let logger: Logger
    private let ownName: String
    private(set) var found: [UpstreamServer] = []
    private var askedAt = NIODeadline.distantPast
    /// How often it was asked: part of the name, because an upstream may keep what it heard of an earlier one.
    private var round = 0
    /// Whose questions of this round came back.
    private var cameBack: Set<UpstreamServer> = []
    private let pause: TimeAmount
    private let patience: TimeAmount

    init(_ configuration: Resolver.Configuration, _ loops: Loops, _ logger: Logger) {
        ownName = configuration.ownNames.first ?? ""
        let upstreams = configuration.upstreams + configuration.localUpstreams
        tokens = Dictionary(
            upstreams.map { ("loop-\(String(UInt64.random(in: .min ... .max), radix: 16))", $0) },
            uniquingKeysWith: { first, _ in first })
        pause = configuration.loopPause
        patience = configuration.loopPatience
        self.loops = loops
        self.logger = logger
    }

    func start() async {
        let tokens = tokens
        _ = await loops.ask { loop in
            loop.responder.isLoopCheck = { [weak self] name in
                let (token, round) = Self.parts(name.firstLabel)
                guard let server = tokens[token], let self else { return false }
                Task { await self.came(back: server, round) }
                return true
            }
        }
        askAgain()
    }

    /// `loop-1f…` and 7 of `loop-1f…-7`.
    private static func parts(_ label: String) -> (token: String, round: Int?) {
        guard let dash = label.lastIndex(of: "-") else { return (label, nil) }
        return (String(label[..<dash]), Int(label[label.index(after: dash)...]))
    }

    /// Asks all of them, also those that were found, unless that was done a moment ago.
    func askAgain() {
        let now = NIODeadline.now()
        guard now >= askedAt + pause, let loop = loops.all.first else { return }
        askedAt = now
        round += 1
        cameBack.removeAll()
        loop.eventLoop.scheduleTask(in: patience) { [weak self, round] in
            guard let self else { return }
            Task { await self.judge(round) }
        }
        for (token, server) in tokens {
            let text = "\(token)-\(round).\(ownName)"
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
    private func came(back server: UpstreamServer, _ round: Int?) async {
        guard round == self.round, cameBack.insert(server).inserted, !found.contains(server) else { return }
        loops.send { $0.drop(server) }
        _ = await loops.ask { _ in }
        guard !found.contains(server) else { return }
        found.append(server)
        logger.error("The upstream \(server) asks this server in turn and is not used")
    }

    /// Uses those again whose questions did not come back. One that is dead or loses questions may loop all the same:
    /// whoever looks after it asks again within a minute.
    private func judge(_ round: Int) {
        guard round == self.round else { return }
        for server in found where !cameBack.contains(server) {
            loops.send { $0.take(back: server) }
            logger.notice("The upstream \(server) does not ask this server any more and is used again")
        }
        found.removeAll { !cameBack.contains($0) }
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
