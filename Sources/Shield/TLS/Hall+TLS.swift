import Directory
import NIOCore
import NIOSSL
import Synchronization

/// Connections to the HTTPS port.
extension Hall {
    func receiveTLS(_ channel: any Channel) -> EventLoopFuture<Void> {
        met(channel).flatMapThrowing { [self] in
            let visit = try enter(channel)
            try channel.pipeline.syncOperations.addHandlers([
                PatienceHandler(visit: visit, limits: configuration.limits),
                TLSReceptionHandler(headTime: configuration.limits.headTime, hosts: secureHosts(visit)),
            ])
        }
    }

    func present(_ context: NIOSSLContext) { tls.withLock { $0 = context } }

    private func secureHosts(_ visit: AcceptedConnection) -> TLSReceptionHandler.Hosts {
        let own = tls.withLock { $0 }
        return TLSReceptionHandler.Hosts(
            ownNames: own == nil ? nil : configuration.ownNames(),
            foreign: { self.standing(of: $0, visit) },
            own: { channel in
                guard let own else { throw ChannelError.operationUnsupported }
                try self.entrance(own, self.ownHosts(visit)).open(channel)
            },
            shield: { channel, name in
                guard let leaf = self.mint(visit.address, name) else {
                    throw ChannelError.operationUnsupported
                }
                try self.entrance(leaf, self.shieldHosts(visit)).open(channel)
            },
            relay: { channel, name, first in
                self.pass(channel, visit, to: name, port: 443, first: first)
                    ?? channel.eventLoop.makeFailedFuture(Passages.Failure.over)
            })
    }

    private func standing(of name: String, _ visit: AcceptedConnection) -> TLSReception.Foreign {
        let desk = desk(visit.channel)
        guard !visit.isProxy else { return .refused }
        if desk.isBlocked(name, for: visit.address) {
            return mint(visit.address, name) == nil ? .refused : .shown
        }
        return desk.passages?.admits(visit.address, to: name) ?? false ? .relayed : .refused
    }

    private func entrance(_ context: NIOSSLContext, _ hosts: SecureEntrance.Hosts) -> SecureEntrance {
        SecureEntrance(
            context: context, headTime: configuration.limits.headTime,
            headBytes: configuration.limits.headBytes, hosts: hosts)
    }

    private func ownHosts(_ visit: AcceptedConnection) -> SecureEntrance.Hosts {
        SecureEntrance.Hosts(
            plain: {
                try $0.pipeline.syncOperations.addHandlers([self.reception(visit, .secure), PaceHandler()])
            },
            opensStream: { self.book.openStream(visit, at: visit.channel.eventLoop.now) },
            closesStream: { self.book.closeStream(visit) },
            queries: { try self.serveStreams($0, visit) },
            stream: { try $0.pipeline.syncOperations.addHandler(self.streamReception(visit)) })
    }

    /// The shield speaks only HTTP/1.1, and its leaves offer nothing else.
    private func shieldHosts(_ visit: AcceptedConnection) -> SecureEntrance.Hosts {
        SecureEntrance.Hosts(
            plain: {
                try $0.pipeline.syncOperations.addHandler(PaceHandler())
                try self.shield($0, visit, isSecure: true)
            },
            opensStream: { false }, closesStream: {}, queries: { _ in },
            stream: { _ in throw ChannelError.operationUnsupported })
    }

    /// Queries under a foreign name, and those that find no place, go on to the reception, which turns them away.
    private func serveStreams(_ channel: any Channel, _ visit: AcceptedConnection) throws {
        // The requests of a connection repeat their authority.
        var own: String?
        try queries?.serveStreams(channel) { [self] fields in
            guard let authority = fields.authority else { return false }
            if authority != own {
                guard configuration.ownNames().admits(HostValue(authority.utf8)) else { return false }
                own = authority
            }
            return book.welcome(visit, at: visit.channel.eventLoop.now)
        }
    }

    private func streamReception(_ visit: AcceptedConnection) -> StreamReception {
        StreamReception(ownNames: configuration.ownNames()) {
            self.handOver($0, visit, .stream, target: $1)
        }
    }
}
