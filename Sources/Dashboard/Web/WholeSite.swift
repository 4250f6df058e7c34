import Hummingbird
import Synchronization

/// The site itself, for a request that one of its own answers makes.
final class WholeSite: Sendable {
    private let router = Mutex<RouterResponder<Visit>?>(nil)

    func open(_ responder: RouterResponder<Visit>) { router.withLock { $0 = responder } }

    func respond(to request: Request, _ visit: Visit) async throws -> Response {
        guard let router = router.withLock({ $0 }) else { throw PageError(.serviceUnavailable) }
        return try await router.respond(to: request, context: visit)
    }
}
