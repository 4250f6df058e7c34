import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTP2
import Pages
import Policy
import Store

/// Every request enters and leaves here. It finds out who asks, and turns errors into pages or, for programs, into
/// problems; no raw error leaves. The answer waits until DNS applies the request's change.
struct Entrance: RouterMiddleware {
    typealias Context = Visit
    let desk: Desk
    let arrivals: Arrivals
    let counters: RequestCounters
    let applied: @Sendable (_ revision: Int) async -> Void

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        arrivals.meet(context.address)
        var visit = context
        visit.device = arrivals.device(at: visit.address, in: desk.store.household)?.id
        visit.candidates = arrivals.candidates(at: visit.address)
        if arrivals.network.dnsPort != nil, let device = visit.device, request.isByHand {
            desk.store.notePage(on: device, at: desk.clock.now())
        }
        visit.credential = desk.credential(of: request, isSecure: visit.isSecure)
        var response: Response
        let caller = Caller(
            credential: visit.credential, address: visit.address, device: visit.device,
            through: visit.through,
            // A page that is drawn for a form is in the answer to that form.
            isPost: request.method == .post || Caller.current?.isPost == true)
        let before = desk.store.revision
        let isAPI = request.uri.path.hasPrefix("/api/v1/")
        if isAPI, let seen = request.revisionsSeen { caller.basis.expect(seen) }
        do {
            response = try await Caller.$current.withValue(caller) {
                try await ClockFace.$style.withValue(style(of: request)) { try await next(request, visit) }
            }
        } catch {
            response = Caller.$current.withValue(caller) {
                ClockFace.$style.withValue(style(of: request)) { answer(error, to: request, visit) }
            }
        }
        let after = desk.store.revision
        if after != before { await applied(after) }
        // Programs compare this revision with the revision that they read. What was read may be older than a change
        // that came meanwhile, and never newer.
        if isAPI {
            response.headers[.eTag] = "\"\([.get, .head].contains(request.method) ? before : after)\""
        }
        SecurityHeaders.dress(&response, isSecure: visit.isSecure)
        try await response.compress(for: request)
        counters.count(response.status.code)
        return response
    }

    /// Programs always get 24 hours.
    private func style(of request: Request) -> ClockStyle {
        guard !request.uri.path.hasPrefix("/api/") else { return .twentyFourHours }
        return desk.store.household.clock.style(for: request.headers[.acceptLanguage])
    }

    private func answer(_ error: any Error, to request: Request, _ visit: Visit) -> Response {
        if request.uri.path.hasPrefix("/api/") {
            var response = Problem(error, logger: visit.logger).response
            if let error = error as? PageError { response.headers[.allow] = error.headers[.allow] }
            return response
        }
        let error = PageError(error, logger: visit.logger)
        var response = desk.errorPage(error, request, visit)
        for field in error.headers { response.headers[field.name] = field.value }
        if error.status == .seeOther, request.method == .post {
            desk.keepForm(request, visit, for: &response)
        }
        return response
    }
}

extension Request {
    /// Whether somebody opens a page, or a system asks about the network. What an open page fetches by itself says nothing
    /// about the device, which may rest.
    fileprivate var isByHand: Bool {
        uri.path == "/captive-portal" || method == .get && headers[.accept]?.contains("text/html") == true
    }

    /// The revisions in `If-Match` (RFC 9110, 13.1.1); nil if any will do.
    fileprivate var revisionsSeen: Set<Int>? {
        let tags = headers[values: .ifMatch].flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard !tags.isEmpty, tags != ["*"] else { return nil }
        // A weak tag never matches.
        return Set(tags.filter { $0.hasPrefix("\"") }.compactMap { Int($0.dropFirst().dropLast()) })
    }
}

extension PageError {
    /// The page's words for any error; unforeseen ones go to the log, without details on the page.
    fileprivate init(_ error: any Error, logger: Logger) {
        switch error {
        case let error as PageError: self = error
        case let refusal as Refusal: self.init(.conflict, refusal.message)
        case let rejected as FormRejected:
            self.init(.unprocessableContent, rejected.reasons.sorted { $0.key < $1.key }.first?.value)
        case is Overtaken:
            self.init(.conflict, "Somebody else saved something in the same moment. Try again.")
        case is FormFields.Fault: self.init(.badRequest, "The form could not be read.")
        case is NIOTooManyBytesError: self.init(.contentTooLarge)
        case _ where error.isCutOff: self.init(.requestTimeout, "What you sent did not arrive whole.")
        case let error as StoreError:
            logger.error("A change could not be stored", metadata: ["error": "\(error)"])
            self.init(.serviceUnavailable, "\(error)", headers: [.retryAfter: "10"], isUnsaved: true)
        case let error as HTTPError: self.init(error.status, headers: error.headers)
        case _ where error.isAboutTheWire:
            logger.debug("A request could not be read", metadata: ["error": "\(error)"])
            self.init(.badRequest)
        default:
            logger.error("A request failed", metadata: ["error": "\(error)"])
            self.init(.internalServerError)
        }
    }
}

extension Error {
    /// Not the server's fault: the bytes were not HTTP.
    var isAboutTheWire: Bool { self is HTTPParserError }

    /// A body that stopped before its end, or whose sender went away, which over HTTP/2 ends the stream (RFC 9110,
    /// 15.5.9).
    var isCutOff: Bool {
        if case HTTPParserError.invalidEOFState? = self as? HTTPParserError { return true }
        return self is ConnectionGuard.BodyStalled || self is ChannelError || self is any NIOHTTP2Error
    }
}
