import NIOCore
import NIOHTTP1

extension ShieldHandler {
    /// Whether the name is open by now and a new connection can reach its own host. A plain first request was already
    /// relayed if possible.
    func leads(elsewhere answer: ShieldAnswer, _ head: HTTPRequestHead) -> Bool {
        guard hasAnswered || (isSecure && canRepeat(head)),
            head.method == .GET || head.method == .HEAD
        else { return false }
        switch answer {
        case .page(let name), .text(let name):
            return desk.passages?.admits(address, to: name) ?? false
        default: return false
        }
    }

    /// Asks the client to send the request again: its next connection is relayed. RFC 9112, 9.3.1, would allow a silent
    /// close, but WebKitGTK shows that as an error, and so does every browser on a connection that it opened ahead,
    /// during the block.
    func sendElsewhere(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        guard canRepeat(head) else { return context.close(promise: nil) }
        send(
            context, head, .temporaryRedirect, "text/plain; charset=utf-8", Array("Once more.\n".utf8), true,
            [("location", head.uri)])
    }

    /// Whether the target can be repeated in the answer's head: browsers accept every length that fits into a first
    /// request.
    private func canRepeat(_ head: HTTPRequestHead) -> Bool {
        head.uri.utf8.count <= desk.limits.headBytes && LocalPath.isSafe(head.uri)
    }
}
