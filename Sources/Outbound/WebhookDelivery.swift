package import Foundation
package import Logging
package import Policy

/// Delivers webhook messages in the background: nothing waits for it, and it stops within a second.
package actor WebhookDelivery {
    /// The queue of messages, kept by an owner that survives a restart.
    package struct Queue: Sendable {
        /// The messages that are due, each with its webhook; they count as being sent from then on.
        package var take: @Sendable (_ now: Date) -> [(letter: WebhookLetter, webhook: Webhook)]
        /// When to look again; nil if nothing waits.
        package var next: @Sendable (_ now: Date) -> Date?
        package var secret: @Sendable (Webhook.ID) -> String?
        package var settle: @Sendable (WebhookLetter, Webhook.Attempt) -> Void
        /// Signals that there may be something to do: at once, and whenever a message is queued.
        package var news: @Sendable () -> AsyncStream<Void>

        package init(
            take: @escaping @Sendable (_ now: Date) -> [(letter: WebhookLetter, webhook: Webhook)],
            next: @escaping @Sendable (_ now: Date) -> Date?,
            secret: @escaping @Sendable (Webhook.ID) -> String?,
            settle: @escaping @Sendable (WebhookLetter, Webhook.Attempt) -> Void,
            news: @escaping @Sendable () -> AsyncStream<Void>
        ) {
            self.take = take
            self.next = next
            self.secret = secret
            self.settle = settle
            self.news = news
        }
    }

    /// One request to send.
    package struct Message: Sendable {
        package var url: String
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
    }

    package typealias Transport = @Sendable (Message) async throws(Fault) -> Int

    /// How long a receiver may take for everything.
    package static let timeout = Duration.seconds(5)
    /// How long messages in progress may take when the server stops.
    private static let farewell = Duration.milliseconds(700)

    private let queue: Queue
    private let clock: WallClock
    private let transport: Transport
    private let logger: Logger
    private var underWay: [WebhookLetter.ID: Task<Void, Never>] = [:]
    private var alarm: Task<Void, Never>?
    private var isStopping = false

    /// - Parameter transport: posts a message and returns the status of the reply.
    package init(queue: Queue, clock: WallClock, logger: Logger, transport: @escaping Transport) {
        self.queue = queue
        self.clock = clock
        self.logger = logger
        self.transport = transport
    }

    /// Uses a client that sends only where webhooks may go.
    package init(queue: Queue, clock: WallClock, logger: Logger, client: SafeClient) {
        self.init(queue: queue, clock: clock, logger: logger) { message throws(Fault) in
            try await client.tell(
                url: message.url, headers: message.headers, body: message.body, timeout: Self.timeout)
        }
    }

    /// Works until its task is cancelled. Messages in progress then get a moment to finish. Those that do not are tried
    /// again after the start, with the same id.
    package func run() async {
        for await _ in queue.news() {
            if Task.isCancelled { break }
            step()
        }
        isStopping = true
        alarm?.cancel()
        let left = Array(underWay.values)
        let patience = Task {
            try? await Task.sleep(for: Self.farewell)
            for task in left { task.cancel() }
        }
        for task in left { await task.value }
        patience.cancel()
    }

    private func step() {
        guard !isStopping else { return }
        alarm?.cancel()
        for (letter, webhook) in queue.take(clock.now()) {
            underWay[letter.id] = Task {
                await self.deliver(letter, to: webhook)
                self.underWay[letter.id] = nil
                self.step()
            }
        }
        guard let next = queue.next(clock.now()) else { return }
        alarm = Task {
            await clock.sleep(min(next, clock.now().addingTimeInterval(1)))
            if !Task.isCancelled { self.step() }
        }
    }

    private func deliver(_ letter: WebhookLetter, to webhook: Webhook) async {
        let outcome = await send(letter, to: webhook)
        // An interrupted request says nothing about its result.
        guard !Task.isCancelled || outcome.isTaken else { return }
        queue.settle(letter, Webhook.Attempt(at: clock.now(), outcome: outcome))
        // The path can be the other side's secret, so no address is logged.
        logger.debug(
            "A webhook was tried",
            metadata: [
                "event": "\(letter.event)", "outcome": "\(outcome.words)", "try": "\(letter.tries + 1)",
            ])
    }

    private func send(_ letter: WebhookLetter, to webhook: Webhook) async -> Webhook.Outcome {
        let now = Int(clock.now().timeIntervalSince1970.rounded(.down))
        let (kind, body) = letter.content(as: webhook.form)
        guard let secret = queue.secret(webhook.id),
            let signature = WebhookSignature.header(
                id: letter.name, timestamp: now, body: body, secret: secret)
        else { return .failed(.noSecret) }
        let message = Message(
            url: webhook.address.url,
            headers: kind + [
                ("User-Agent", "Sleep-Inducer"), ("webhook-id", letter.name),
                ("webhook-timestamp", String(now)), ("webhook-signature", signature),
            ], body: Array(body.utf8))
        do throws(Fault) { return .answered(try await transport(message)) } catch {
            return .failed(Webhook.Failure(error))
        }
    }
}

extension WebhookLetter {
    /// A plain notice has its title, and what can be pressed, in headers, as ntfy expects; everything else is JSON.
    fileprivate func content(
        as form: Webhook.Form
    ) -> (headers: [(name: String, value: String)], body: String) {
        guard form == .ntfy, let notice = PlainNotice(letter: body) else {
            return ([("Content-Type", "application/json")], body)
        }
        let actions = notice.actions.map { [("Actions", $0)] } ?? []
        return (
            [("Content-Type", "text/plain; charset=utf-8"), ("X-Title", notice.title)] + actions, notice.text
        )
    }
}

extension Webhook.Failure {
    fileprivate init(_ fault: Fault) {
        self =
            switch fault {
            case .unknownHost: .unknownHost
            case .badAddress, .notAllowed: .notAllowed
            case .needsTLS: .needsTLS
            case .unreachable: .unreachable
            case .timedOut: .timedOut
            case .insecure: .insecure
            case .tooLarge, .broken: .unreadable
            }
    }
}
