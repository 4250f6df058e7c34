import Directory
import NIOCore
import Synchronization

/// Turns one query into one reply: everything that an event loop decides, without sockets and without a clock.
final class Responder {
    /// The client, the endpoint that it asked, and the transport.
    struct Asking {
        var client: ClientAddress
        /// This machine's addresses on the interface that was asked.
        let endpoint: OwnAddresses
        let isDatagram: Bool
        var now: NIODeadline
        /// Over TLS or HTTPS, where replies are padded on request (RFC 7830).
        var isEncrypted = false
        /// Whether it has waited for a gateway as long as it may.
        var isHeldLong = false
    }

    /// The result of a query.
    enum Outcome {
        /// The reply is written.
        case replied
        case silence
        /// Nothing is written: an upstream must be asked, then `respond` again with its result.
        case resolve(Lookup)
        /// Nothing is written: a gateway must open an address of the answer first, then `respond` again.
        case hold
    }

    /// A question for an upstream; its name is in `name`.
    struct Lookup {
        let type: UInt16
        let variant: UInt8
        /// Goes to the home's own servers, which may answer with private addresses.
        let isLocal: Bool
    }

    /// An upstream's result.
    enum Resolution {
        case answer(Answer)
        /// All upstreams failed, and none said why.
        case failed
        /// An upstream reported a failure, with its Extended DNS Error (RFC 8914) if it sent one.
        case failedThere(UInt16?)

        /// Whether it tells a client more than another.
        func saysMore(than other: Resolution) -> Bool { worth > other.worth }

        private var worth: Int {
            switch self {
            case .failed: 0
            case .failedThere(nil): 1
            case .failedThere: 2
            case .answer: 3
            }
        }
    }

    /// What an event loop tells its collector.
    final class News: Sendable {
        /// Whether the loop noted something that it has not handed over.
        let isThere = Atomic(false)
        /// Whether a part waits in `handedOver`. So the lock is taken once between two collections.
        private let isWaiting = Atomic(false)
        private let handedOver = Mutex<Collected?>(nil)

        /// Whether something was noted, handed over or not.
        var isAny: Bool { isThere.load(ordering: .relaxed) || isWaiting.load(ordering: .relaxed) }

        /// Hands over what `collect` gives, unless an earlier part still waits.
        fileprivate func offer(_ collect: () -> Collected) {
            guard !isWaiting.load(ordering: .relaxed), isThere.exchange(false, ordering: .relaxed) else {
                return
            }
            handedOver.withLock { $0 = collect() }
            isWaiting.store(true, ordering: .releasing)
        }

        /// What the loop handed over by itself since the last call.
        func take() -> Collected? {
            guard isWaiting.load(ordering: .acquiring) else { return nil }
            let part = handedOver.withLock { $0.take() }
            isWaiting.store(false, ordering: .releasing)
            return part
        }
    }

    /// The name of the current question.
    private(set) var name: WireName
    /// Receives the names of packets.
    private let nameOfPacket = WireName()
    /// The query that was read last.
    private var query = Query(id: 0, flags: 0)
    var filter: Filter
    var clients: ClientTable
    var cache: AnswerCache
    var tally = Tally()
    var refused = RefusedNames()
    /// Nil unless answers are noted.
    var answers: AnswerNotes?
    /// Addresses that a gateway has closed, by client.
    var closed: [ClientAddress: Set<ClientAddress>] = [:]
    var checkNotes = CheckNotes()
    private(set) var served: ServedNames
    private let news: News
    private(set) var hasLocalUpstream: Bool
    let forwarders: Set<ClientAddress>
    /// Addresses whose PTR is the own name.
    var ownAddresses: Set<ClientAddress> = []
    /// Asked about every name below an own name; true for a question of this server's own loop check.
    var isLoopCheck: ((WireName) -> Bool)?
    /// Whether a question for a name of the home comes back from the server that would be asked.
    var isReturned: ((_ source: ClientAddress) -> Bool)?

    init(
        _ configuration: Resolver.Configuration, served: ServedNames, filter: Filter, news: News = News()
    ) {
        self.news = news
        name = nameOfPacket
        self.filter = filter
        self.served = served
        clients = ClientTable(filter: filter)
        cache = AnswerCache(capacity: configuration.cacheBytes)
        hasLocalUpstream = !configuration.network.localUpstreams.isEmpty
        forwarders = configuration.forwarders
        if configuration.notesAnswers { answers = AnswerNotes() }
    }

    func apply(_ filter: Filter) {
        self.filter = filter
        clients.apply(filter)
    }

    /// Takes over the names that are decided before every rule. Answers from before may be to names that are decided
    /// otherwise now.
    func follow(_ served: ServedNames, hasLocalUpstream: Bool) {
        self.served = served
        self.hasLocalUpstream = hasLocalUpstream
        cache.removeAll()
    }

    /// Takes over the table of hardware addresses.
    func apply(_ neighbours: Neighbours) { clients.apply(neighbours) }

    /// The key by which a client's share is counted (`Holder`).
    func holder(of client: ClientAddress) -> ClientAddress {
        clients.neighbours.holder(of: client).address ?? client
    }

    /// Takes over the networks of the home.
    func apply(_ home: HomeNetworks) {
        clients.apply(home)
    }

    /// Returns what was counted since the last call.
    func collect() -> Collected {
        let checks = checkNotes.collect()
        return Collected(
            counts: tally.collect(), clients: clients.collect(), metrics: tally.metrics,
            refused: refused.collect(), checkQuestions: checks.questions, evasionSigns: checks.signs,
            unbelieved: checks.unbelieved)
    }

    /// Hands over what was noted, once between two collections. A loop that has little to do is then not woken up for it.
    func handOver() { news.offer(collect) }

    /// Reads `packet` and writes the reply into `target`, which must have room for `WireSize.datagram` bytes over UDP,
    /// for the largest message otherwise.
    /// - Returns: the outcome and the reply's size in bytes.
    func respond(
        _ packet: UnsafeRawBufferPointer, _ asking: Asking, into target: UnsafeMutableRawBufferPointer
    ) -> (Outcome, Int) {
        news.isThere.store(true, ordering: .relaxed)
        tally.metrics.queries += 1
        if name !== nameOfPacket { name = nameOfPacket }
        switch Query.read(packet, into: name) {
        case .silence:
            tally.metrics.refused += 1
            return (.silence, 0)
        case .refused(let query, let rcode):
            tally.metrics.refused += 1
            var reply = ReplyWriter(query, packet, MessageWriter(target))
            reply.bareHeader(rcode: rcode)
            return (.replied, reply.writer.count)
        case .question(let query):
            self.query = query
            return respond(to: query, packet, asking, into: target, nil)
        }
    }

    /// A copy of the question that was read last, for when it must wait.
    func question(_ packet: some Sequence<UInt8>) -> PendingQuery {
        PendingQuery(packet: [UInt8](packet), query: query, name: name.copy())
    }

    /// Answers a question that has waited.
    ///
    /// - Parameter resolution: the upstreams' result.
    func respond(
        to question: PendingQuery, _ asking: Asking, into target: UnsafeMutableRawBufferPointer,
        _ resolution: Resolution
    ) -> (Outcome, Int) {
        news.isThere.store(true, ordering: .relaxed)
        name = question.name
        return question.packet.withUnsafeBytes {
            respond(to: question.query, $0, asking, into: target, resolution)
        }
    }

    private func respond(
        to query: Query, _ packet: UnsafeRawBufferPointer, _ asking: Asking,
        into target: UnsafeMutableRawBufferPointer, _ resolution: Resolution?
    ) -> (Outcome, Int) {
        var reply = ReplyWriter(query, packet, MessageWriter(target))
        reply.pads = asking.isEncrypted && query.edns?.options.wantsPadding ?? false
        var pass = Pass(query: query, source: asking.client, asking: asking, resolution: resolution)
        let outcome = outcome(&pass, &reply)
        return (outcome, reply.writer.count)
    }

    func refuse(_ reply: inout ReplyWriter) -> Outcome {
        tally.metrics.refused += 1
        reply.begin(rcode: RCode.refused)
        reply.opt()
        return .replied
    }
}

/// A question that was parsed and waits.
struct PendingQuery {
    let packet: [UInt8]
    let query: Query
    let name: WireName
}

/// The addresses that this machine answers with for itself.
struct OwnAddresses {
    var v4: ClientAddress?
    var v6: ClientAddress?
}
