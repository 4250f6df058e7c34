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
        refuseOtherMethods()
        return open
    }

    /// The methods that clients are known to send; QUERY is a draft for a safe request with a body.
    private static let methods =
        [HTTPRequest.Method.get, .post, .put, .patch, .delete, .options, .trace]
        + ["QUERY"].compactMap { HTTPRequest.Method($0) }

    /// Answers 405 with the allowed methods, if an address exists for other methods only.
    private func refuseOtherMethods() {
        for (_, routes) in Dictionary(grouping: open.routes, by: \.path.description) {
            let methods = Set(routes.map(\.method))
            let taken = methods.contains(.get) ? methods.union([.head]) : methods
            let allow = taken.map(\.rawValue).sorted().joined(separator: ", ")
            for method in Self.methods where !methods.contains(method) {
                open.on(routes[0].path, method: method) { _, _ -> Response in
                    throw PageError(.methodNotAllowed, headers: [.allow: allow])
                }
            }
        }
    }
}
