import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Store

/// Nobody's save undoes another's: before a feature sees a form that carries what it showed, the form is merged with
/// what its page shows now (`FormMerge`). Where both changed the same, the answer is 409 with both values, the input
/// kept, and nothing saved.
///
/// The merged form holds for one revision of the household. If another change comes first, it is merged again.
struct Merging: RouterMiddleware {
    typealias Context = Visit
    let desk: Desk
    let site: WholeSite

    private static let attempts = 8

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        guard request.method == .post, context.login != nil, request.isForm else {
            return try await next(request, context)
        }
        let body = try await request.body.collect(upTo: Desk.maximumForm)
        let plain = request.with(body)
        guard let sent = try? FormFields(body), let text = sent.first(ShownFields.field),
            let shown = ShownFields(text), (try? desk.checkToken(sent, context)) != nil
        else { return try await next(plain, context) }
        for _ in 0..<Self.attempts {
            let revision = desk.store.revision
            guard let drawn = try await draw(shown.page, request, context, for: sent) else {
                return try await next(plain, context)
            }
            let merge = FormMerge(sent, shown: shown, form: drawn.form)
            guard merge.conflicts.isEmpty else { return drawn.filled(merge) }
            Caller.current?.basis.expect([revision])
            do {
                return try await next(request.with(ByteBuffer(string: merge.fields.encoded)), context)
            } catch is Overtaken { continue }
        }
        throw Overtaken()
    }

    /// The form as its page shows it now; nil if no page has it any more.
    private func draw(
        _ path: String, _ request: Request, _ visit: Visit, for sent: FormFields
    ) async throws -> DrawnForm? {
        // A page that has moved on leads to the one that has its form, as for a limit that was added meanwhile.
        var path = path
        for _ in 0..<2 {
            guard path.hasPrefix("/"), !path.hasPrefix("//") else { return nil }
            var head = request.head
            (head.method, head.path) = (.get, path)
            // Which client a proxy asks for is known already.
            let left = [
                "Content-Length", "Content-Type", "Accept-Encoding", "Via", "Forwarded", "X-Forwarded-For",
            ]
            for name in left.compactMap({ HTTPField.Name($0) }) { head.headerFields[name] = nil }
            let response = try await site.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer())), visit)
            if response.status == .ok {
                return try await DrawnForm(response, action: request.uri.path, sent: sent)
            }
            guard response.status == .seeOther, let next = response.headers[.location] else { return nil }
            path = next
        }
        return nil
    }
}

/// A page that was drawn for a form that was sent, and the form in it.
private struct DrawnForm {
    let response: Response
    let page: [UInt8]
    let form: PageForm

    init?(_ response: Response, action: String, sent: FormFields) async throws {
        guard response.headers[.contentType]?.hasPrefix("text/html") == true,
            response.body.contentLength != nil
        else { return nil }
        let bytes = Bytes()
        try await response.body.write(bytes)
        let page = [UInt8](bytes.buffer.readableBytesView)
        let form = PageForm.all(in: page).first { $0.action == action && $0.isForm(of: sent.pairs) }
        guard let form else { return nil }
        (self.response, self.page, self.form) = (response, page, form)
    }

    /// The page with what was sent, and why its sender has to decide.
    func filled(_ merge: FormMerge) -> Response {
        let filled = FilledForm(page, form, values: merge.values, reasons: merge.conflicts)
        var response = response
        response.status = .conflict
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: filled.page))
        return response
    }
}

extension ShownFields {
    /// Nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let fields = try? FormFields(bytes: parts[1].utf8) else { return nil }
        self.init(page: String(parts[0]), pairs: fields.pairs)
    }
}

extension Request {
    fileprivate var isForm: Bool {
        let type = headers[.contentType]?.split(separator: ";").first?.lowercased()
        return type == "application/x-www-form-urlencoded"
    }

    fileprivate func with(_ body: ByteBuffer) -> Request {
        var head = head
        head.headerFields[.contentLength] = String(body.readableBytes)
        return Request(head: head, body: RequestBody(buffer: body))
    }
}
