import NIOCore
import NIOHTTP2
import NIOSSL

/// One encrypted connection to an upstream, with many questions on it at a time; replies come in any order.
final class UpstreamLine {
    /// What it tells its link.
    struct Events {
        /// It is ready for questions.
        var opened: () -> Void
        /// It gives these questions back unanswered.
        var ended: ([LineQuestion]) -> Void
        /// It goes on, but gives this question back unanswered.
        var left: (LineQuestion) -> Void
        /// A question is over, and there is room for another; the server answered it, or said that there is no answer.
        var freed: (_ isAnswered: Bool) -> Void
    }

    private enum State { case opening, open, leaving, ended }

    /// How long it may stay without a question, and how long questions may stay without any sound from the server.
    struct Patience {
        var idle = TimeAmount.seconds(25)
        var silence = TimeAmount.seconds(4)
        /// For connection and handshake together.
        var opening = TimeAmount.milliseconds(2500)
    }

    /// Questions at a time; HTTP/2 servers usually allow at least as many streams (RFC 9113, 6.5.2).
    static let most = 100

    private let loop: any EventLoop
    let server: UpstreamServer
    private let patience: Patience
    private var state = State.opening
    private var asked: [UInt16: LineQuestion] = [:]
    private var nextKey: UInt16 = 0
    private(set) var answers = 0
    /// Takes no more questions at a time than it has answered, because the server may close after each answer.
    var isBrief = false
    private var sweptAt = NIODeadline.now()
    private var channel: (any Channel)?
    private var streams: NIOHTTP2Handler.StreamMultiplexer?
    private var timer: Scheduled<Void>?
    private var events: Events?

    init(_ server: UpstreamServer, _ loop: any EventLoop, _ patience: Patience, _ events: Events) {
        self.server = server
        self.loop = loop
        self.patience = patience
        self.events = events
        timer = loop.assumeIsolated().scheduleTask(in: patience.opening) { [weak self] in self?.end() }
    }

    var load: Int { asked.count }
    private(set) var wasNeverOpen = true
    var isOpening: Bool { state == .opening }
    var canTake: Bool {
        state == .open && asked.count < (isBrief ? min(max(1, answers), Self.most) : Self.most)
    }

    /// A connection is being tried; it is closed if it does not open in time.
    func tries(_ channel: any Channel) {
        guard state == .opening else { return channel.close(promise: nil) }
        self.channel = channel
    }

    /// The TLS handshake is over, and the certificate is the right one.
    func opened(_ channel: any Channel, _ streams: NIOHTTP2Handler.StreamMultiplexer?) {
        guard state == .opening else { return channel.close(promise: nil) }
        self.channel = channel
        self.streams = streams
        state = .open
        wasNeverOpen = false
        startIdling()
        events?.opened()
    }

    func send(_ question: LineQuestion) {
        guard let channel else { return question.end(nil) }
        sweep()
        repeat { nextKey &+= 1 } while asked[nextKey] != nil
        if asked.isEmpty { startListening() }
        asked[nextKey] = question
        if let streams {
            // A fixed ID, as RFC 8484 (4.1) recommends: the stream identifies the reply.
            question.attempt.id = 0
            let request = HTTPSQuestion(server, question.attempt.message(channel.allocator))
            request.ask(on: streams, loop) { [weak self, nextKey] in self?.ended($0, key: nextKey) }
        } else {
            question.attempt.id = nextKey
            let message = question.attempt.message(channel.allocator)
            var buffer = channel.allocator.buffer(capacity: 2 + message.readableBytes)
            buffer.writeInteger(UInt16(message.readableBytes))
            buffer.writeImmutableBuffer(message)
            channel.writeAndFlush(buffer, promise: nil)
        }
    }

    private func ended(_ outcome: HTTPSQuestion.Outcome, key: UInt16) {
        switch outcome {
        case .reply(let message): received(message, key: key)
        case .refusal: received(nil, key: key)
        case .silence:
            guard state != .ended, let question = asked.removeValue(forKey: key) else { return }
            let events = events
            if asked.isEmpty { state == .leaving ? end() : startIdling() }
            events?.left(question)
        }
    }

    /// A whole message, or nil if the server said in HTTP that there is none.
    func received(_ message: ByteBuffer?, key: UInt16? = nil) {
        guard state != .ended else { return }
        let key = key ?? message?.getInteger(at: message?.readerIndex ?? 0, as: UInt16.self) ?? 0
        guard let question = asked[key] else { return }
        if let message {
            let fits = message.withUnsafeReadableBytes {
                question.attempt.isAnswered(by: $0, ignoringCase: true)
            }
            guard fits else { return }
        }
        asked[key] = nil
        answers += 1
        sweep()
        events?.freed(message != nil)
        if asked.isEmpty { state == .leaving ? end() : startIdling() } else { startListening() }
        question.end(message)
    }

    /// Gives up questions that the server skips while it answers others; they would fill the connection in the end.
    private func sweep() {
        let now = NIODeadline.now()
        guard now > sweptAt + patience.silence else { return }
        sweptAt = now
        let old = asked.filter { $0.value.attempt.sent + patience.silence < now }
        for (key, question) in old {
            asked[key] = nil
            question.end(nil)
        }
    }

    /// The server takes no more questions here, but may answer those that it has (GOAWAY).
    func leave() {
        guard state == .open else { return }
        state = .leaving
        if asked.isEmpty { end() }
    }

    /// Closes; unanswered questions go back to the link.
    func end() {
        guard state != .ended else { return }
        state = .ended
        timer?.cancel()
        channel?.close(promise: nil)
        channel = nil
        let left = Array(asked.values)
        asked.removeAll()
        let events = events
        self.events = nil
        events?.ended(left)
    }

    /// Closes without events, as at the end of the resolver.
    func close() {
        events = nil
        end()
    }

    private func startIdling() { restart(patience.idle) }
    private func startListening() { restart(patience.silence) }

    private func restart(_ time: TimeAmount) {
        timer?.cancel()
        timer = loop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.end() }
    }
}
