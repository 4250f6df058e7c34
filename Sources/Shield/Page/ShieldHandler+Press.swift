import NIOCore
import NIOHTTP1
import Policy

extension ShieldHandler {
    /// Handles a press: refuses at once what it can, and does the rest off the event loop.
    ///
    /// It needs no passcode: it affects only the asking device's person and the app that owns the Host.
    func press(
        _ action: ShieldAction, on page: ShieldContext, _ context: ChannelHandlerContext,
        _ head: HTTPRequestHead, _ body: [UInt8], closing: Bool
    ) {
        let type = head.headers.first(name: "content-type")?.split(separator: ";").first?.lowercased()
        guard FormOrigin.isOwn(head.headers) else {
            return say(.otherSite, .forbidden, on: page, context, head, closing)
        }
        guard type == "application/x-www-form-urlencoded" else {
            return say(.unreadableForm, .unsupportedMediaType, on: page, context, head, closing)
        }
        guard let form = ActionForm(body) else {
            return say(.unreadableForm, .badRequest, on: page, context, head, closing)
        }
        var page = page
        (page.path, page.reason) = (form.path, form.reason)
        if action == .done {
            // The suggestion that the page showed.
            page.doing = Doing(start: page.now, shown: form.expires - ShieldContext.formLifetime)
        }
        guard desk.isGenuine(form, action, page) else {
            return say(.staleForm, .forbidden, on: page, context, head, closing)
        }
        guard desk.mayAct(holder) else {
            return say(
                .tooManyPresses, .tooManyRequests, on: page, context, head, closing, [("retry-after", "10")])
        }
        // Pressed twice, or another layer blocks by now: the page then shows that.
        guard action == .done || page.verdict.limit?.app.id == form.app else {
            return lead(to: page.path, context, head)
        }
        isActing = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        Task { [act = desk.facts.act, page] in
            let outcome = await act(action, page)
            loop.execute {
                let (handler, context) = bound.value
                handler.answer(outcome, to: action, on: page, context, head, closing: closing)
            }
        }
    }

    private func answer(
        _ outcome: ShieldOutcome, to action: ShieldAction, on page: ShieldContext,
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, closing: Bool
    ) {
        isActing = false
        guard context.channel.isActive else { return }
        switch outcome {
        case .done:
            lead(to: action == .done ? desk.link(to: .left, page) : page.path, context, head)
        case .refused(let reason):
            say(.refused(reason), .conflict, on: page, context, head, closing)
        case .refusedReason(let reason):
            var page = page
            page.reasonError = reason
            sendPage(context, head, page, .unprocessableEntity, closing)
        case .unsaved:
            say(.unsaved, .serviceUnavailable, on: page, context, head, closing)
        }
    }

    /// Sends 303 and ends this connection: the next one asks DNS where the name leads now.
    private func lead(to path: String, _ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        send(
            context, head, .seeOther, "text/plain; charset=utf-8", Array("Done.\n".utf8), true,
            [("location", path)])
    }

    /// The farewell after "I'll do it", or the suggestion's timer; "Well done" when it is over, or when "I did it" comes
    /// late enough.
    func sendDoing(
        _ which: Doing.Page, _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ query: String,
        _ page: ShieldContext, _ closing: Bool
    ) {
        guard var page = desk.doing(query, page), let timer = page.doing?.timer else {
            return say(.staleForm, .forbidden, on: page, context, head, closing)
        }
        let isDone = which == .done
        if which == .left {
            page.note = .left
        } else if timer.isOver(at: page.now) || isDone && timer.isDoable(at: page.now) {
            page.note = .wellDone
        }
        page.doing?.isTooSoon = isDone
        sendPage(context, head, page, .ok, closing)
    }

    private func say(
        _ note: ShieldNote, _ status: HTTPResponseStatus, on page: ShieldContext,
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ closing: Bool,
        _ extra: [(String, String)] = []
    ) {
        var page = page
        page.note = note
        sendPage(context, head, page, status, closing, extra)
    }
}
