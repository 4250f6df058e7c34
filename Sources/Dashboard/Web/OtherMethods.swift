import HTTPTypes
import Hummingbird

extension Routes {
    /// Every address with its method, for example `/path/{id} GET`.
    var operations: [String] {
        open.routes.map {
            "\($0.path.description.replacing(/:(\w+)/) { "{\($0.output.1)}" }) \($0.method.rawValue)"
        }
    }

    /// All routes, and 405 for every other method of their addresses.
    func router() -> Router<Visit> {
        // A middleware applies to what is added after it: this one only to requests without a route.
        open.add(middleware: OtherMethods(of: open.routes))
    }
}

/// Answers 405 with the allowed methods, if an address exists for other methods only.
private struct OtherMethods: RouterMiddleware {
    typealias Context = Visit

    /// Answers each address with 405, as a `PageError`.
    private let refusals: Once<RouterResponder<Visit>>

    init(of routes: [Router<Visit>.RouteDescription]) {
        let addresses = Dictionary(grouping: routes, by: \.path.description).values.map { routes in
            let methods = Set(routes.map(\.method))
            let taken = methods.contains(.get) ? methods.union([.head]) : methods
            return (path: routes[0].path, allow: taken.map(\.rawValue).sorted().joined(separator: ", "))
        }
        // Made for the first request without a route, and kept.
        refusals = Once {
            let router = Router(context: Visit.self)
            for (path, allow) in addresses {
                router.get(path) { _, _ -> Response in
                    throw PageError(.methodNotAllowed, headers: [.allow: allow])
                }
            }
            return router.buildResponder()
        }
    }

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        var head = request.head
        head.method = .get
        // An address that nobody has becomes a response here, and `next` answers it.
        _ = try await refusals.value.respond(to: Request(head: head, body: request.body), context: context)
        return try await next(request, context)
    }
}
