import Foundation
import Logging
import Policy
import Synchronization
import Testing

@testable import Outbound

/// How webhooks are sent, with a transport and a clock that the test controls.
@Suite(.timeLimit(.minutes(1))) struct WebhookDeliveryTests {
    @Test("The signature equals the specification's own example, which other libraries compute")
    func signature() {
        // The worked example of the Standard Webhooks libraries.
        let example = WebhookSignature.header(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: #"{"test": 2432232314}"#,
            secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        #expect(example == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        for secret in ["", "whsec", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_%%%"] {
            #expect(WebhookSignature.header(id: "a", timestamp: 0, body: "", secret: secret) == nil)
        }
    }

    @Test("A message has the three headers, its body, and its time")
    func message() async throws {
        let post = try Post()
        post.put(1)
        await post.working {
            let sent = await post.until(sent: 1)
            #expect(sent[0].url == "http://192.168.1.20/x")
            let headers = Dictionary(uniqueKeysWithValues: sent[0].headers.map { ($0.name, $0.value) })
            let letter = post.letters[0]
            #expect(headers["webhook-id"] == letter.name)
            #expect(headers["webhook-timestamp"] == "1763460000")
            #expect(headers["Content-Type"] == "application/json")
            #expect(
                headers["webhook-signature"]
                    == WebhookSignature.header(
                        id: letter.name, timestamp: 1_763_460_000, body: letter.body, secret: Post.secret))
            #expect(String(decoding: sent[0].body, as: UTF8.self) == letter.body)
            await post.until(settled: 1)
        }
        #expect(post.outcomes == [.answered(204)])
    }

    @Test("An ntfy topic gets a title and a sentence, signed as they are sent")
    func plainNotice() async throws {
        let post = try Post(form: .ntfy)
        post.put(1, body: #"{"text":"Nicht synchron: \u00fc.","title":"Something needs attention"}"#)
        await post.working {
            let sent = await post.until(sent: 1)
            let headers = Dictionary(uniqueKeysWithValues: sent[0].headers.map { ($0.name, $0.value) })
            #expect(headers["Content-Type"] == "text/plain; charset=utf-8")
            #expect(headers["X-Title"] == "Something needs attention")
            #expect(String(decoding: sent[0].body, as: UTF8.self) == "Nicht synchron: ü.")
            #expect(
                headers["webhook-signature"]
                    == WebhookSignature.header(
                        id: post.letters[0].name, timestamp: 1_763_460_000, body: "Nicht synchron: ü.",
                        secret: Post.secret))
            await post.until(settled: 1)
        }
    }

    @Test("A receiver that is down is tried after 5 s, 1 min and 10 min, with the same id, and then dropped")
    func retries() async throws {
        let post = try Post { _ throws(Fault) in throw .unreachable }
        post.put(1)
        await post.working {
            for (tries, delay) in [(1, 5), (2, 60), (3, 600)] {
                await post.until(settled: tries)
                await post.clock.pass(seconds: delay - 1)
                #expect(post.sent.count == tries)
                await post.clock.pass(seconds: 1)
                await post.until(settled: tries + 1)
            }
            await post.clock.pass(seconds: 3_600)
        }
        #expect(post.sent.count == 4 && post.outcomes == Array(repeating: .failed(.unreachable), count: 4))
        #expect(Set(post.sent.map { $0.headers.first { $0.name == "webhook-id" }?.value }).count == 1)
        let times = post.sent.map { $0.headers.first { $0.name == "webhook-timestamp" }?.value }
        #expect(times == ["1763460000", "1763460005", "1763460065", "1763460665"])
        #expect(post.queue.withLock { $0.letters.isEmpty })
    }

    @Test(
        "The result, in one word each",
        arguments: [
            (Fault.unknownHost, Webhook.Failure.unknownHost), (.notAllowed, .notAllowed),
            (.needsTLS, .needsTLS), (.timedOut, .timedOut), (.insecure, .insecure), (.broken, .unreadable),
            (.tooLarge, .unreadable), (.badAddress, .notAllowed),
        ])
    func failures(fault: Fault, failure: Webhook.Failure) async throws {
        let post = try Post { _ throws(Fault) in throw fault }
        post.put(1)
        await post.working { await post.until(settled: 1) }
        #expect(post.outcomes == [.failed(failure)])
    }

    @Test("A redirect is a failure, and tried again")
    func redirect() async throws {
        let post = try Post { _ in 302 }
        post.put(1)
        await post.working { await post.until(settled: 1) }
        #expect(post.outcomes == [.answered(302)])
        #expect(post.queue.withLock { $0.letters.map(\.tries) } == [1])
    }

    @Test("Without its secret nothing is sent")
    func noSecret() async throws {
        let post = try Post(secret: nil)
        post.put(1)
        await post.working { await post.until(settled: 1) }
        #expect(post.sent.isEmpty && post.outcomes == [.failed(.noSecret)])
    }

    @Test("Two at a time; the next ones follow as soon as one is done")
    func twoAtATime() async throws {
        let gate = Gate()
        let post = try Post { _ in
            await gate.wait()
            return 204
        }
        post.put(5)
        await post.working {
            _ = await post.until(sent: 2)
            for _ in 0..<100 { await Task.yield() }
            #expect(post.sent.count == 2)
            gate.open()
            await post.until(settled: 5)
        }
        #expect(post.sent.count == 5)
    }

    @Test(
        "A receiver that never answers delays a shutdown by less than a second, and counts as not tried")
    func shutdown() async throws {
        let gate = Gate()
        let post = try Post { _ in
            await withTaskCancellationHandler {
                await gate.wait()
            } onCancel: {
                gate.open()
            }
            return 500
        }
        post.put(1)
        let began = ContinuousClock.now
        await post.working { _ = await post.until(sent: 1) }
        #expect(ContinuousClock.now - began < .seconds(1))
        #expect(post.outcomes == [])
        #expect(post.queue.withLock { $0.letters.map(\.tries) } == [0])
    }
}

/// Waits until it is opened.
private final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state = (true, []) }
            return state.waiting
        }
        for one in waiting { one.resume() }
    }
}

/// A clock that stands still until a test moves it; sleepers check again after each move.
private final class StoppedClock: Sendable {
    private let state = Mutex<(now: Date, sleepers: [(until: Date, gate: Gate)])>(
        (Date(timeIntervalSince1970: 1_763_460_000), []))

    var wall: WallClock {
        WallClock(now: { self.state.withLock { $0.now } }, sleep: { await self.sleep(until: $0) })
    }

    private func sleep(until instant: Date) async {
        let gate = Gate()
        let isDue = state.withLock { state in
            if state.now < instant { state.sleepers.append((instant, gate)) }
            return state.now >= instant
        }
        guard !isDue else { return }
        await withTaskCancellationHandler {
            await gate.wait()
        } onCancel: {
            gate.open()
        }
    }

    /// Second by second, each with enough time for all tasks to react.
    func pass(seconds: Int) async {
        for _ in 0..<seconds {
            let due = state.withLock { state in
                state.now += 1
                let due = state.sleepers.filter { $0.until <= state.now }
                state.sleepers.removeAll { $0.until <= state.now }
                return due
            }
            for sleeper in due { sleeper.gate.open() }
            for _ in 0..<20 { await Task.yield() }
        }
    }
}

/// A queue of messages to one webhook, and a delivery that works on it.
private final class Post: Sendable {
    static let secret = "whsec_" + Data("0123456789abcdef0123456789abcdef".utf8).base64EncodedString()

    let clock = StoppedClock()
    let queue = Mutex(WebhookQueue())
    let webhook: Webhook
    private let record = Mutex<
        (sent: [WebhookDelivery.Message], outcomes: [Webhook.Outcome], letters: [WebhookLetter])
    >(
        ([], [], []))
    private let news = AsyncStream.makeStream(of: Void.self)
    private let secret: String?
    private let answer: WebhookDelivery.Transport

    init(
        secret: String? = Post.secret, form: Webhook.Form = .json,
        answer: @escaping WebhookDelivery.Transport = { _ in 204 }
    ) throws {
        self.secret = secret
        self.answer = answer
        webhook = try Webhook(
            id: UUID(), person: nil, address: WebhookAddress(typed: "http://192.168.1.20/x"),
            events: [.focusStarted], form: form, since: .distantPast)
    }

    var sent: [WebhookDelivery.Message] { record.withLock { $0.sent } }
    var outcomes: [Webhook.Outcome] { record.withLock { $0.outcomes } }
    var letters: [WebhookLetter] { record.withLock { $0.letters } }

    func put(_ count: Int, body: String? = nil) {
        let new = (0..<count).map {
            WebhookLetter(
                id: UUID(), webhook: webhook.id, event: "focus.started", body: body ?? #"{"n":\#($0)}"#,
                due: clock.wall.now())
        }
        record.withLock { $0.letters += new }
        _ = queue.withLock { $0.add(new) }
        news.continuation.yield()
    }

    func until(sent count: Int) async -> [WebhookDelivery.Message] {
        while sent.count < count { await Task.yield() }
        return sent
    }

    func until(settled count: Int) async {
        while outcomes.count < count { await Task.yield() }
    }

    /// Runs the delivery as long as `body` runs, then stops it as the server does.
    func working(_ body: () async -> Void) async {
        let delivery = WebhookDelivery(
            queue: .init(
                take: { now in
                    self.queue.withLock { $0.take(at: now) }.map { (letter: $0, webhook: self.webhook) }
                },
                next: { now in self.queue.withLock { $0.next(at: now) } }, secret: { _ in self.secret },
                settle: { letter, attempt in
                    _ = self.queue.withLock {
                        $0.settle(letter.id, isTaken: attempt.outcome.isTaken, at: attempt.at)
                    }
                    self.record.withLock { $0.outcomes.append(attempt.outcome) }
                }, news: { self.news.stream }),
            clock: clock.wall, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { message throws(Fault) in
            self.record.withLock { $0.sent.append(message) }
            return try await self.answer(message)
        }
        let work = Task { await delivery.run() }
        await body()
        work.cancel()
        await work.value
    }
}
