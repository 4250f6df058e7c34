import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Pages
import Policy
import Store

/// The notice at the top of a page after a change; the address has its case, never its text.
enum DoneNotice: String {
    case saved, begun, added, removed, passcode, reset, enrolled, waiting, kept, granted, declined, sent,
        undone,
        allowed, apart, unmerged, left, leaving, stayed, asked, certified
    case setUp = "set-up"
    case movedIn = "moved-in"
    case wishGranted = "wish-granted"
    case wishDeclined = "wish-declined"
    case loggedOutEverywhere = "logged-out"
    case machineRemoved = "machine-removed"
    case leads = "leads"

    var text: String {
        switch self {
        case .saved: "Saved."
        case .begun: "Saved. Sleep Mode has begun."
        case .added: "Added."
        case .removed: "Removed."
        case .passcode: "The passcode was changed."
        case .reset: "The session was ended."
        case .enrolled: "This device is enrolled."
        case .waiting: "Saved. It makes a rule easier, so it waits. You can cancel it until then."
        case .kept: "The change is cancelled."
        case .granted: "15 more minutes were given."
        case .declined: "Not tonight: it was declined."
        case .sent: "A test is on its way. Reload in a moment to see the result."
        case .undone: "Undone."
        case .allowed: "Added. It is open from the next session on."
        case .unmerged: "Undone. They are two devices, as they were before."
        case .apart: "They stay two devices."
        case .left: "You left. Nothing is blocked on that device any more."
        case .leaving: "Saved. It takes effect by itself. You can cancel it until then."
        case .stayed: "You stay."
        case .certified:
            "The certificate was made. Install it on every device that should see the shield over HTTPS."
        case .movedIn: "It moved in. Look at the devices, and choose bedtimes."
        case .asked: "Asked. You see the answer here."
        case .setUp: "Set-up is done."
        case .wishGranted: "It was granted."
        case .wishDeclined: "It was declined."
        case .loggedOutEverywhere: "All browsers were logged out."
        case .leads: "This machine leads now. Changes are taken again."
        case .machineRemoved: "The machine was removed. The household has a new key."
        }
    }
}

extension Desk {
    /// A page for the asker.
    func page(
        _ page: some Page, for asker: Asker, status: HTTPResponse.Status = .ok,
        notices: [PageContext.Notice] = [], returnTo: String? = nil
    ) throws -> Response {
        let context = PageContext(
            csrf: asker.csrf, person: asker.person, people: asker.isSignedIn ? asker.household.people : [],
            now: asker.now, zone: asker.zone, path: asker.path, offersHelp: asker.household.offersHelp,
            notices: done(asker) + unsavedNotices(asker) + notices, bedtime: asker.bedtime,
            questions: asker.isSignedIn ? questions(asker) : [],
            // A refused form's path may not be the path of a page.
            returnTo: returnTo ?? (status == .ok ? nil : Place.spot(of: asker.path)?.place?.path ?? "/"),
            isFromSetup: asker.isFromSetup, isAnswer: isAnswer(status))
        return try html(page, in: context, status: status)
    }

    /// Everybody's open questions.
    func questions(_ asker: Asker) -> [QuestionRow] {
        let (catalog, clock) = (wholeCatalog(asker.household), ClockFace(zone: asker.zone))
        return asker.household.openQuestions(at: asker.now).map {
            QuestionRow($0, catalog: catalog, clock: clock)
        }
    }

    /// A page about no person: gate, set-up, login, errors.
    func page(
        _ page: some Page, _ request: Request, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let household = store.household
        let context = PageContext(
            csrf: visit.formToken, now: clock.now(), zone: household.foundationZone,
            path: request.uri.description, offersHelp: household.offersHelp && isSetUp,
            isAnswer: isAnswer(status))
        return try html(page, in: context, status: status)
    }

    private func isAnswer(_ status: HTTPResponse.Status) -> Bool {
        status != .ok || Caller.current?.isPost == true
    }

    /// An error as a page; as plain text if the page cannot be rendered.
    func errorPage(_ error: PageError, _ request: Request, _ visit: Visit) -> Response {
        if error.status == .seeOther { return Response(status: .seeOther) }
        let shown = ErrorPage(
            status: error.status.code, reason: error.reason, isUnsaved: error.isUnsaved,
            isCutOff: error.isUnsaved && store.cutOffReason != nil, kept: kept(request, of: visit, error))
        if let response = try? page(shown, request, visit, status: error.status) { return response }
        return .text(error.reason ?? error.status.reasonPhrase, status: error.status)
    }

    /// The form that was sent. One with an older login's token is asked again only if it came from one of our pages.
    private func kept(_ request: Request, of visit: Visit, _ error: PageError) -> ErrorPage.Kept? {
        guard request.method == .post, let fields = sentFields else { return nil }
        let action = request.uri.description
        if error.isUnsaved { return ErrorPage.Kept(action: action, fields: fields) }
        guard error.status == .forbidden, error.reason == nil, let page = request.ownPage else { return nil }
        return ErrorPage.Kept(action: action, fields: fields, page: page.asOwnPath ?? "/")
    }

    private func html(
        _ page: some Page, in context: PageContext, status: HTTPResponse.Status
    ) throws -> Response {
        var context = context
        if let notice = Caller.current?.through?.notice {
            context.notices.append(PageContext.Notice(.warning, notice))
        }
        context.answers = Caller.current?.sent.answered
        return .html(try renderer.render(page, in: context), status: status)
    }

    /// While the disk or the other machines cannot take changes, every page says so to readers who can change
    /// something.
    private func unsavedNotices(_ asker: Asker) -> [PageContext.Notice] {
        guard asker.isSignedIn else { return [] }
        let cutOff = store.cutOffNotice.map {
            PageContext.Notice(
                .warning, $0, way: asker.path.hasPrefix("/machines") ? nil : .init("/machines", "Machines"))
        }
        return [store.diskNotice.map { PageContext.Notice(.warning, $0) }, cutOff].compactMap { $0 }
    }

    /// `done=saved`; an answer names its question too, `done=granted.ID`, so that the notice can say whose it was.
    private func done(_ asker: Asker) -> [PageContext.Notice] {
        let parts = URI(asker.path).queryParameters["done"]?.split(separator: ".", maxSplits: 1) ?? []
        guard let notice = parts.first.flatMap({ DoneNotice(rawValue: String($0)) }) else { return [] }
        let id = parts.count > 1 ? UUID(uuidString: String(parts[1])) : nil
        let question = asker.household.questions(at: asker.now).first { $0.id == id }
        let words = question?.answered(in: wholeCatalog(asker.household))
        let undo = id.flatMap { answers.press($0, at: asker.now) }
        return [
            PageContext.Notice(
                .done, words ?? notice.text, undo: undo.map { "/requests/\($0.question.uuidString)/undo" })
        ]
    }

    /// 303 to one of our pages, with the notice and, if the form named a person, for that person.
    ///
    /// - Parameter place: the id of what was changed, so that a long page does not jump to its top.
    func back(
        to path: String, for asker: Asker? = nil, done: DoneNotice? = nil, query more: String? = nil,
        at place: String? = nil
    ) -> Response {
        var query: [String] = []
        if let asker, asker.namesPerson { query.append("person=\(asker.person.id.rawValue)") }
        if asker?.isFromSetup == true, !path.hasPrefix("/setup") { query.append("from=setup") }
        if let more { query.append(more) }
        if let done { query.append("done=\(done.rawValue)") }
        let suffix =
            (query.isEmpty ? "" : "?" + query.joined(separator: "&")) + (place.map { "#" + $0 } ?? "")
        return Response(status: .seeOther, headers: [.location: path + suffix])
    }
}

extension FormRejected {
    /// The reasons about the whole form, for the top of the page.
    var notices: [PageContext.Notice] {
        reasons[""].map { [PageContext.Notice(.refused, $0)] } ?? []
    }

    /// The disk or the household's other machines took no change; the page says so beside the button.
    init(unsaved error: StoreError) { self.init(["button": "\(error)"]) }

    var status: HTTPResponse.Status {
        reasons["button"] == nil ? .unprocessableContent : .serviceUnavailable
    }
}

extension Response {
    static func html(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }

    static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }

    static func json(_ json: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
    }
}
