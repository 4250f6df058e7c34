package import Foundation

/// A question that somebody asked of the adults, whatever it is about: a `TimeRequest` or a `Wish`. The bar, the
/// requests page, `state` and the links of webhooks all show this one list.
package struct Question: Hashable, Sendable, Identifiable {
    package enum About: Hashable, Sendable {
        /// More minutes of a limit.
        case minutes(LimitTarget)
        case wish(Wish.What)
    }

    /// How long a link in a notice can answer it, in seconds.
    package static let linkLifetime: TimeInterval = 86_400

    package let id: UUID
    package let person: PersonID
    /// The person's name.
    package let name: String
    package let about: About
    package let reason: String?
    package let device: DeviceID?
    package let askedAt: Date
    package let answer: TimeRequest.Answer

    package init(_ request: TimeRequest, of person: Person) {
        (id, about, reason) = (request.id, .minutes(request.target), request.reason)
        (device, askedAt, answer) = (request.device, request.askedAt, request.answer)
        (self.person, name) = (person.id, person.name)
    }

    package init(_ wish: Wish, of person: Person) {
        (id, about, reason) = (wish.id, .wish(wish.what), wish.reason)
        (device, askedAt, answer) = (wish.device, wish.askedAt, wish.answer)
        (self.person, name) = (person.id, person.name)
    }

    /// Whether a link can still answer it; a clock that was set back makes no link older than it is.
    package func takesLinks(at now: Date) -> Bool {
        answer == .open && abs(now.timeIntervalSince(askedAt)) < Self.linkLifetime
    }
}

extension Question.About {
    /// `minutes`, `app`, `later` or `skip`, as programs read it.
    package var word: String {
        switch self {
        case .minutes: "minutes"
        case .wish(.app): "app"
        case .wish(.later): "later"
        case .wish(.skip): "skip"
        }
    }

    /// `15 more minutes of TikTok`, `TikTok open at night`, `bedtime 30 minutes later tonight`.
    package func words(in catalog: Catalog) -> String {
        switch self {
        case .minutes(let target): "\(TimeRequest.minutes) more minutes of \(catalog.name(of: target))"
        case .wish(let what): what.words(in: catalog)
        }
    }
}

extension Wish.What {
    /// `bedtime 30 minutes later tonight`, `no bedtime tonight`, `TikTok open at night`.
    package func words(in catalog: Catalog) -> String {
        switch self {
        case .app(let id): "\(catalog.app(id: id)?.name ?? id) open at night"
        case .later: "bedtime \(TonightChange.step) minutes later tonight"
        case .skip: "no bedtime tonight"
        }
    }
}

extension Household {
    /// Everybody's questions that are not over, oldest first.
    package func questions(at now: Date) -> [Question] {
        people.flatMap { person in
            person.requests(at: now, in: zone).map { Question($0, of: person) }
                + person.wishes(at: now).map { Question($0, of: person) }
        }
        .sorted { $0.askedAt < $1.askedAt }
    }

    /// The questions that wait for an answer, oldest first.
    package func openQuestions(at now: Date) -> [Question] {
        questions(at: now).filter { $0.answer == .open }
    }

    /// Answers a question once, with the refusals of what it is about.
    package mutating func answer(
        _ question: Question, grant: Bool, catalog: Catalog, usage: UsageTotals = .none, at now: Date
    ) throws(Refusal) {
        switch question.about {
        case .minutes:
            try answerRequest(question.person, request: question.id, grant: grant, usage: usage, at: now)
        case .wish:
            try answerWish(question.person, wish: question.id, grant: grant, catalog: catalog, at: now)
        }
    }
}
