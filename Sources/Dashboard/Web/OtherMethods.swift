import HTTPTypes
import Hummingbird

extension Routes {
    /// Every address with its method, as `/path/{id} GET`.
    var operations: [String] {
        open.routes.map {
            "\($0.path.description.replacing(/:(\w+)/) { "{\($0.output.1)}" }) \($0.method.rawValue)"
        }
    }

    /// Everything that is served, and 405 for every other method.
    func router() -> Router<Visit> {
        refuseOtherMethods()
        return open
    }

    /// Those that clients are known to send; QUERY is the draft that succeeds a POST that only asks.
    private static let methods =
        [HTTPRequest.Method.get, .post, .put, .patch, .delete, .options, .trace]
        + ["QUERY"].compactMap { HTTPRequest.Method($0) }

    /// An address that is there, but takes other methods: 405 with those that it takes.
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
