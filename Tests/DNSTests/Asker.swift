import Directory
import NIOCore

@testable import DNS

/// A responder without sockets: a test gives it packets and the time.
final class Asker {
    static let device = ClientAddress("192.168.1.20")!
    static let guest = ClientAddress("192.168.1.99")!

    let responder: Responder
    var own = OwnAddresses(v4: ClientAddress("192.168.1.2"), v6: ClientAddress("fd00::2"))
    var now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    init(
        _ filter: Filter = .empty, news: Responder.News = Responder.News(),
        _ change: (inout Resolver.Configuration) -> Void = { _ in }
    ) {
        var configuration = Resolver.Configuration(
            .init(upstreams: [], ownNames: OwnNames(name: "sleep.home.arpa", hostName: "pi")))
        change(&configuration)
        let served = ServedNames(
            configuration.network, privateAnswersAllowed: configuration.privateAnswersAllowed)
        responder = Responder(configuration, served: served, filter: filter, news: news)
        responder.ownAddresses = [ClientAddress("192.168.1.2")!, ClientAddress("fd00::2")!]
    }

    /// The reply's bytes; nil for silence, and if an upstream would have to be asked.
    func raw(
        _ packet: [UInt8], from client: ClientAddress = device, isDatagram: Bool = true,
        isHeldLong: Bool = false, resolution: Responder.Resolution? = nil
    ) -> [UInt8]? {
        let asking = Responder.Asking(
            client: client, endpoint: own, isDatagram: isDatagram, now: now, isHeldLong: isHeldLong)
        var target = [UInt8](repeating: 0xee, count: isDatagram ? WireSize.datagram : WireSize.message)
        let (outcome, size) = packet.withUnsafeBytes { packet in
            target.withUnsafeMutableBytes { target in
                if let resolution, let question = PendingQuery(Array(packet)) {
                    return responder.respond(to: question, asking, into: target, resolution)
                }
                return responder.respond(packet, asking, into: target)
            }
        }
        switch outcome {
        case .replied: return Array(target[..<size])
        case .silence, .resolve, .hold: return nil
        }
    }

    /// The look-up that would go to an upstream; nil if the query is answered here.
    func lookup(_ packet: [UInt8], from client: ClientAddress = device) -> Responder.Lookup? {
        let asking = Responder.Asking(client: client, endpoint: own, isDatagram: true, now: now)
        var target = [UInt8](repeating: 0, count: WireSize.datagram)
        let (outcome, _) = packet.withUnsafeBytes { packet in
            target.withUnsafeMutableBytes { responder.respond(packet, asking, into: $0) }
        }
        if case .resolve(let lookup) = outcome { return lookup }
        return nil
    }

    func ask(
        _ name: String, _ type: UInt16 = 1, edns: UInt16? = nil, from client: ClientAddress = device,
        isDatagram: Bool = true, isHeldLong: Bool = false, resolution: Responder.Resolution? = nil
    ) -> Message? {
        raw(
            Message.query(name, type, edns: edns), from: client, isDatagram: isDatagram,
            isHeldLong: isHeldLong, resolution: resolution
        ).map(Message.init)
    }

    /// Handles an upstream's response to a question as the event loop does.
    @discardableResult
    func arrive(_ response: Message, name text: String, type: UInt16 = 1, isFromPublic: Bool = false)
        -> Answer?
    {
        let name = WireName()
        guard name.read(text) else { return nil }
        let question = UpstreamReply.SentQuery(
            name: name, type: type, variant: 0, isFromPublic: isFromPublic)
        guard case .answer(let answer) = response.bytes.withUnsafeBytes({ UpstreamReply.read($0, question) })
        else {
            return nil
        }
        responder.cache.store(answer, for: name, at: now)
        return answer
    }
}

extension PendingQuery {
    /// A packet that waits; nil if it is no question.
    init?(_ packet: [UInt8]) {
        let name = WireName()
        guard case .question(let query) = packet.withUnsafeBytes({ Query.read($0, into: name) }) else {
            return nil
        }
        self.init(packet: packet, query: query, name: name)
    }
}
