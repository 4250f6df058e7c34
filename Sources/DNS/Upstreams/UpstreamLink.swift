import NIOCore

/// The connections of one event loop to one encrypted upstream: one, or two under load. They close when idle and open
/// again when needed. A server that closes after some answers gets fewer questions on each, and more connections: what is
/// on the way when it closes can be lost (RFC 9293, 3.10.7.4).
final class UpstreamLink {
    /// What it needs from its event loop.
    struct Surroundings {
        let loop: any EventLoop
        let tls: UpstreamTLS
        /// The addresses of a name at the bootstrap servers, with how long they hold.
        let addresses: (String, @escaping ([[UInt8]], TimeAmount) -> Void) -> Void
        /// The upstream answered something.
        let heard: () -> Void
    }

    static let mostLines = 2
    static let mostBriefLines = 6
    /// With this many open questions on one connection, a second is opened.
    static let busy = 32
    /// Questions that wait for a connection.
    static let mostWaiting = 200
    private static let longestPause = TimeAmount.seconds(5)

    private let server: UpstreamServer
    private let surroundings: Surroundings
    private let patience: UpstreamLine.Patience
    private var lines: [UpstreamLine] = []
    private var waiting: [LineQuestion] = []
    /// How many questions were answered on all connections.
    private var answered = 0
    /// A connection that answered this many questions, and ended without leaving any, shows that others last.
    private static let enoughAnswers = 10
    /// Connections end while questions wait on them: each takes few.
    private var areBrief = false { didSet { for line in lines { line.isBrief = areBrief } } }
    /// How many connections in a row took questions and ended without an answer. Three are a failure.
    private var fruitless = 0
    private static let mostFruitless = 3
    /// After a failed connection, none is tried until then.
    private var pausedUntil = NIODeadline.uptimeNanoseconds(0)
    private var pause = TimeAmount.zero
    private var known: [SocketAddress] = []
    private var knownUntil = NIODeadline.uptimeNanoseconds(0)

    init(_ server: UpstreamServer, _ patience: UpstreamLine.Patience, _ surroundings: Surroundings) {
        self.server = server
        self.patience = patience
        self.surroundings = surroundings
    }

    /// - Parameter onEnd: called once, perhaps before this returns, with the reply or with nil when there is none.
    func ask(_ attempt: Attempt, onEnd: @escaping (ByteBuffer?) -> Void) -> LineQuestion {
        let question = LineQuestion(attempt, onEnd: onEnd)
        send(question)
        return question
    }

    private func send(_ question: LineQuestion) {
        let best = lines.filter(\.canTake).min { $0.load < $1.load }
        if best.map({ $0.load >= Self.busy }) ?? true { openAnother() }
        if let best { return best.send(question) }
        waiting.removeAll { !$0.isWanted }
        guard !lines.isEmpty, waiting.count < Self.mostWaiting else {
            return question.end(nil)
        }
        waiting.append(question)
    }

    private func openAnother() {
        let hasRoom =
            areBrief
            ? lines.count < Self.mostBriefLines
            : lines.count < Self.mostLines && !lines.contains(where: \.isOpening)
        guard hasRoom, pausedUntil <= .now() else { return }
        var line: UpstreamLine?
        let events = UpstreamLine.Events(
            opened: { [weak self] in self?.opened() },
            ended: { [weak self] left in
                if let self, let ended = line { self.ended(ended, left) }
                line = nil
            },
            left: { [weak self] in
                self?.areBrief = true
                self?.askAgain($0)
            },
            freed: { [weak self] in self?.freed($0) })
        let new = UpstreamLine(server, surroundings.loop, patience, events)
        new.isBrief = areBrief
        line = new
        lines.append(new)
        let opening = LineOpening(server: server, tls: surroundings.tls, loop: surroundings.loop)
        addresses { opening.start($0, for: new) }
    }

    private func addresses(_ found: @escaping ([SocketAddress]) -> Void) {
        switch server.place {
        case .address(let address): return found([address.socket].compactMap { $0 })
        case .name(let name, let port):
            if knownUntil > .now() { return found(known) }
            surroundings.addresses(name) { [weak self] packed, lifetime in
                let new = packed.compactMap {
                    try? SocketAddress(packedIPAddress: ByteBuffer(bytes: $0), port: port)
                }
                guard let self, !new.isEmpty else { return found(self?.known ?? []) }
                self.known = new
                self.knownUntil = .now() + min(max(lifetime, .seconds(60)), .hours(1))
                found(new)
            }
        }
    }

    private func opened() {
        pause = .zero
        sendWaiting()
    }

    /// HTTP errors such as 500 do not count: they do not show that the upstream works.
    private func freed(_ isAnswered: Bool) {
        if isAnswered {
            answered &+= 1
            fruitless = 0
            surroundings.heard()
        }
        if !waiting.isEmpty { sendWaiting() }
    }

    private func sendWaiting() {
        let ready = waiting
        waiting.removeAll()
        for question in ready where question.isWanted { send(question) }
    }

    private func ended(_ line: UpstreamLine, _ left: [LineQuestion]) {
        lines.removeAll { $0 === line }
        areBrief = !left.isEmpty || areBrief && line.answers < Self.enoughAnswers
        if line.answers == 0, !left.isEmpty { fruitless += 1 }
        if line.wasNeverOpen || fruitless >= Self.mostFruitless {
            pause = min(max(.milliseconds(250), pause * 2), Self.longestPause)
            pausedUntil = .now() + pause
            knownUntil = .uptimeNanoseconds(0)
        }
        for question in left { askAgain(question) }
        guard lines.isEmpty else { return }
        let stranded = waiting
        waiting.removeAll()
        for question in stranded { question.end(nil) }
    }

    /// Asks again what a connection left unanswered: servers close when it suits them (RFC 7766, 6.2.4), some after each
    /// answer. A question that is left twice without an answer to any in between has failed.
    private func askAgain(_ question: LineQuestion) {
        guard question.isWanted else { return }
        guard question.progress != answered else { return question.end(nil) }
        question.progress = answered
        send(question)
    }

    func close() {
        for line in lines { line.close() }
        lines.removeAll()
        waiting.removeAll()
    }
}
