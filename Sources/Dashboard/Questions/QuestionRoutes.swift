import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/requests`: people's questions, and the answers to them.
struct QuestionRoutes: Sendable {
    let desk: Desk

    func questionsPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try desk.page(QuestionsPage(desk.questions(asker)), for: asker)
    }

    /// What the bar says, for the page `from`.
    func bar(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let from = request.uri.queryParameters["from"].flatMap { String($0).asOwnPath }
        return try desk.page(AskedBar(), for: asker, returnTo: from ?? "/")
    }

    func questionPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try desk.page(shown(try question(visit, asker), for: asker), for: asker)
    }

    /// Says yes or no; leads back to the page with the buttons. A yes that is refused leaves the question open and shows
    /// the reason.
    func answerQuestion(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let answer = reading.choice("answer", as: Answer.self, "Choose grant or decline.")
        let origin = reading.optional("from").flatMap(\.asOwnPath)
        try reading.finish()
        let question = try question(visit, asker)
        let isGranted = answer == .grant
        do {
            try desk.answer(question, grant: isGranted, by: try desk.presser(asker, visit))
        } catch let refusal as Refusal {
            return try refused(refusal, try self.question(visit, asker), asker)
        }
        return back(
            to: origin ?? "/requests/\(question.id.uuidString)", for: asker,
            done: "\(question.notice(isGranted).rawValue).\(question.id.uuidString)")
    }

    /// Takes an answer back that this login gave at most 8 seconds ago; leads back to where it was given.
    func undoAnswer(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let origin = reading.optional("from").flatMap(\.asOwnPath)
        try reading.finish()
        let question = try question(visit, asker)
        do {
            guard let press = desk.answers.press(question.id, at: asker.now) else {
                throw Refusal.undoTooLate
            }
            try desk.takeBack(press, about: question, by: try desk.presser(asker, visit))
        } catch let refusal as Refusal {
            return try refused(refusal, question, asker)
        }
        return back(
            to: origin ?? "/requests/\(question.id.uuidString)", for: asker,
            done: DoneNotice.undone.rawValue)
    }

    private func refused(_ refusal: Refusal, _ question: Question, _ asker: Asker) throws -> Response {
        try desk.page(
            shown(question, for: asker), for: asker, status: .conflict,
            notices: [PageContext.Notice(.refused, refusal.message)])
    }

    /// The page's own path and query, without the result of an earlier press.
    private func back(to origin: String, for asker: Asker, done: String) -> Response {
        let parts = origin.split(separator: "#")[0].split(separator: "?", maxSplits: 1)
        let kept = (parts.count > 1 ? parts[1] : "").split(separator: "&").filter { pair in
            !pair.hasPrefix("done=") && !pair.hasPrefix("person=")
        }
        return desk.back(
            to: String(parts[0]), for: asker, query: (kept + ["done=\(done)"]).joined(separator: "&"))
    }

    private func shown(_ question: Question, for asker: Asker) -> QuestionPage {
        let person = asker.household[person: question.person]
        return QuestionPage(
            question, in: asker.household, catalog: desk.wholeCatalog(asker.household),
            usage: desk.feed.snapshot.usage, showsUse: person.map(asker.seesUsage) ?? false, now: asker.now)
    }

    /// The question with the path's id, from whichever person's page the answer comes.
    private func question(_ visit: Visit, _ asker: Asker) throws -> Question {
        let id = try visit.itemID
        guard let question = asker.household.questions(at: asker.now).first(where: { $0.id == id }) else {
            throw PageError(.notFound, "This request is over.")
        }
        return question
    }

    private enum Answer: String { case grant, decline }
}

extension Desk {
    /// Answers a question, and notes it in the asking person's log. `presser` can take it back; nil: nobody can.
    func answer(_ question: Question, grant: Bool, by presser: Presser? = nil) throws {
        try command { household, log, now in
            let press = try household.answer(
                question, grant: grant, by: presser?.key ?? "", catalog: catalog,
                usage: feed.snapshot.usage, at: now)
            if presser != nil { answers.keep(press) }
            log.note(
                question.entry(grant), question.person, question.device, at: now,
                question.logWords(in: wholeCatalog(household)))
        }
    }
}

extension Desk {
    fileprivate func takeBack(_ press: AnswerPress, about question: Question, by presser: Presser) throws {
        try command { household, log, now in
            try household.takeBack(press, by: presser.key, at: now)
            log.note(
                .ruleChanged, question.person, question.device, at: now,
                "The answer was taken back, \(presser.words): \(question.logWords(in: wholeCatalog(household)))"
            )
        }
        answers.forget(press.question)
    }
}

extension Question {
    fileprivate func entry(_ isGranted: Bool) -> LogEntry.Kind {
        switch about {
        case .minutes: isGranted ? .timeGranted : .timeDeclined
        case .wish: isGranted ? .wishGranted : .wishDeclined
        }
    }

    fileprivate func notice(_ isGranted: Bool) -> DoneNotice {
        switch about {
        case .minutes: isGranted ? .granted : .declined
        case .wish: isGranted ? .wishGranted : .wishDeclined
        }
    }

    /// `Yes to Ada: 15 more minutes of TikTok.`; nil while it waits for its answer.
    func answered(in catalog: Catalog) -> String? {
        answer == .open
            ? nil : "\(answer == .granted ? "Yes" : "No") to \(name): \(about.words(in: catalog))."
    }

    /// What the log keeps; never the reason, which goes with the question.
    fileprivate func logWords(in catalog: Catalog) -> String {
        switch about {
        case .minutes(let target): target.name(in: catalog)
        case .wish(let what): what.words(in: catalog)
        }
    }
}
