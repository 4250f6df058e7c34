import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/answer/{token}`: the pages of links in webhooks' notices. They need nothing but the token.
struct AnswerLinkRoutes: Sendable {
    let desk: Desk
    let passcodes: PasscodeDesk
    /// Counts wrong links only, and apart from passcodes: nothing holds up the right link, and it forgives nothing.
    private let wrongLinks = BackOff()

    /// Asks once more, and answers nothing: chat programs and mail scanners open every link that they see, to show a
    /// preview or to look for harm.
    func linkPage(_ request: Request, _ visit: Visit) async throws -> Response {
        let choice = try choice(visit)
        return try await withQuestion(request, visit) { question, token, now in
            guard question.takesLinks(at: now) else { return (Self.ended(question), .gone) }
            return (.asks(yes: choice != .no, no: choice != .yes), .ok)
        }
    }

    /// Answers once, by the same rules as the buttons on pages.
    func answerByLink(_ request: Request, _ visit: Visit) async throws -> Response {
        guard let choice = try choice(visit) else { throw PageError(.notFound) }
        return try await withQuestion(request, visit) { question, _, now in
            guard question.takesLinks(at: now) else { return (Self.ended(question), .gone) }
            do {
                try desk.answer(question, grant: choice == .yes)
            } catch let refusal as Refusal {
                return (.refused(refusal.message), .conflict)
            }
            return (.answered(yes: choice == .yes), .ok)
        }
    }

    private static func ended(_ question: Question) -> AnswerLinkPage.State {
        question.answer == .open ? .over : .known(yes: question.answer == .granted)
    }

    private typealias Said = (state: AnswerLinkPage.State, status: HTTPResponse.Status)

    /// Finds the question of the link, and shows what `body` says of it.
    private func withQuestion(
        _ request: Request, _ visit: Visit, _ body: (Question, String, Date) throws -> Said
    ) async throws -> Response {
        let token = visit.parameters.get("token") ?? ""
        let known = desk.store.question(ofLink: token)
        if known == nil, let seconds = wrongLinks.admit(passcodes.trier(request, visit), at: desk.uptime()) {
            throw PageError(
                .tooManyRequests, "Too many links were wrong. Wait a moment, then open it again.",
                headers: [.retryAfter: String(seconds)])
        }
        let now = desk.clock.now()
        let household = desk.household(at: now)
        guard let known, let question = household.questions(at: now).first(where: { $0.id == known }) else {
            let status: HTTPResponse.Status = known == nil ? .notFound : .gone
            return try desk.page(AnswerLinkPage(.over), request, visit, status: status)
        }
        let catalog = desk.wholeCatalog(household)
        let said = try body(question, token, now)
        // Without the minutes: a person with the link may have no right to see them.
        let full = QuestionPage(question, in: household, catalog: catalog, showsUse: false, now: now)
        let shown = AnswerLinkPage(said.state, row: full.row, effect: full.effect, token: token)
        return try desk.page(shown, request, visit, status: said.status)
    }

    /// Nil for the page with both answers.
    private func choice(_ visit: Visit) throws -> Choice? {
        guard let text = visit.parameters.get("choice") else { return nil }
        guard let choice = Choice(rawValue: text) else { throw PageError(.notFound) }
        return choice
    }

    private enum Choice: String { case yes, no }
}
